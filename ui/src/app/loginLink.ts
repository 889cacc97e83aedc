import { useSyncExternalStore } from "react";

const fragment = /^#login=([\w-]+)$/;

/** Returns the token of a login link and the address without it; null for any other address. */
export function readLoginLink(href: string): { token: string; address: string } | null {
  const url = new URL(href);
  const token = fragment.exec(url.hash)?.[1];
  if (!token) return null;
  return { token, address: href.slice(0, href.indexOf("#")) };
}

let token: string | null = null;
const listeners = new Set<() => void>();

function change(next: string | null) {
  token = next;
  listeners.forEach((listener) => listener());
}

/** Moves the token from the address to memory, so that neither the history nor a copied address has it. */
export function takeLoginLink(view: Pick<Window, "location" | "history"> = window) {
  const link = readLoginLink(view.location.href);
  if (!link) return;
  view.history.replaceState(view.history.state, "", link.address);
  change(link.token);
}

/** Returns the token and forgets it, because it works only once. */
export function spendLoginToken(): string | null {
  const taken = token;
  if (taken) change(null);
  return taken;
}

/** Returns the token of the link that opened the page; null if there is none or it has been used. */
export function useLoginToken(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => token,
  );
}

// Runs when this file is loaded, before the router reads the address. A link that is pasted into an open page
// changes only the fragment.
if (typeof window !== "undefined") {
  takeLoginLink();
  window.addEventListener("hashchange", () => takeLoginLink());
}
