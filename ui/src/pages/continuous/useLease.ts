import { useEffect } from "react";
import { lookInto } from "../../api/continuous";
import { perform } from "../../api/actions";

const every = 60_000; // half of the lease

/** Prolongs the session of who looks into a workflow while its page is open; it ends by itself after. */
export function useLease(name: string, held: boolean) {
  useEffect(() => {
    if (!held) return;
    const timer = setInterval(() => {
      perform(lookInto(name, "")).catch(() => undefined); // the page shows when it has ended
    }, every);
    return () => clearInterval(timer);
  }, [name, held]);
}
