import { useSyncExternalStore } from "react";

const fragment = /^#login=([\w-]+)$/;

/** Reads the token of a login link, and the address without it; null for every other address. */
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

/** Returns the token and forgets it, for it works once. */
export function spendLoginToken(): string | null {
  const taken = token;
  if (taken) change(null);
  return taken;
}

/** The token of the link by which the page was opened; null when there is none, or when it has been used. */
export function useLoginToken(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => token,
  );
}

// When this file is loaded, before the router reads the address. A link that is pasted into an open page
// changes the fragment alone.
if (typeof window !== "undefined") {
  takeLoginLink();
  window.addEventListener("hashchange", () => takeLoginLink());
}
