import { useEffect, useRef } from "react";

/** Calls the action of a pressed key, unless the user is typing or a dialog is open. */
export function useKeys(keys: Record<string, () => void>) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      const typing = target.closest("input:not([type=checkbox]), textarea, select, dialog, [role=menu]");
      const pressing = event.key === "Enter" && target.closest("a, button, summary");
      const action = latest.current[event.key];
      if (!action || typing || pressing) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
