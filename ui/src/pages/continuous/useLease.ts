import { useEffect } from "react";
import { lookInto } from "../../api/continuous";
import { perform } from "../../api/actions";

const every = 60_000; // half of the lease

/** Extends the user's debug session of a workflow while its page is open; without extension the session expires. */
export function useLease(name: string, held: boolean) {
  useEffect(() => {
    if (!held) return;
    const timer = setInterval(() => {
      perform(lookInto(name, "")).catch(() => undefined); // the page shows when it has ended
    }, every);
    return () => clearInterval(timer);
  }, [name, held]);
}
