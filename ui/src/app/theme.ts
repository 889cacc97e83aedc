import { useEffect, useSyncExternalStore } from "react";
import { usePreference } from "./preferences";

export type Theme = "system" | "light" | "dark";

const dark = () => window.matchMedia("(prefers-color-scheme: dark)");

/** Returns the chosen theme, its setter, and the theme shown now. */
export function useTheme() {
  const [theme, setTheme] = usePreference<Theme>("theme", "system");
  const systemDark = useSyncExternalStore(
    (listener) => {
      const query = dark();
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => dark().matches,
  );
  const shown: "light" | "dark" = theme === "system" ? (systemDark ? "dark" : "light") : theme;
  return { theme, setTheme, shown };
}

/** Applies the theme to the document, for the style sheets. */
export function useAppliedTheme() {
  const { shown } = useTheme();
  useEffect(() => {
    document.documentElement.dataset.theme = shown;
  }, [shown]);
}
