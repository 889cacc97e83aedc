import { useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
const prefix = "millrace.";

function read(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null; // storage is switched off
  }
}

function write(name: string, value: string) {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // The choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** A choice of this browser, kept over visits and shared by its tabs. */
export function usePreference<T extends string>(name: string, initial: T): [T, (value: T) => void] {
  const value = useSyncExternalStore(subscribe, () => read(name)) as T | null;
  const set = useCallback((next: T) => write(name, next), [name]);
  return [value ?? initial, set];
}
