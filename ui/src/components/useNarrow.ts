import { useSyncExternalStore } from "react";

const narrow = "(max-width: 760px)"; // as in the styles

/** Returns true if the screen is narrow, so that tables show their rows as cards. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(narrow);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia(narrow).matches,
  );
}
