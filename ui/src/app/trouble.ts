import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { ApiError, Unreachable } from "../api/client";

type Seen = Pick<Query, "state" | "isActive">;

/**
 * Returns the error that the banner reports: of a part of the screen that could not be refreshed, or one that
 * several parts without data have in common. Null if there is none.
 */
export function troubleOf(queries: readonly Seen[]): Error | null {
  const outages = queries
    .filter((query) => query.isActive())
    .map((query) => ({ error: lastError(query), stale: query.state.data !== undefined }))
    .filter(({ error }) => isOutage(error));
  const told =
    outages.find(({ stale }) => stale) ??
    outages.find(({ error }, at) => outages.some((other, later) => later > at && isSameError(error, other.error)));
  return (told?.error as Error | undefined) ?? null;
}

const errors = new WeakMap<Seen, unknown>();

/** Returns the error of the last attempt. A query without data drops it when the next attempt starts. */
function lastError(query: Seen): unknown {
  const { data, error } = query.state;
  if (error) errors.set(query, error);
  else if (data !== undefined) errors.delete(query);
  return error ?? errors.get(query) ?? null;
}

/** Returns true if both errors have the same text. */
export function isSameError(one: unknown, other: unknown): boolean {
  if (one instanceof ApiError && other instanceof ApiError) {
    return one.status === other.status && one.problem.title === other.problem.title && one.message === other.message;
  }
  return one instanceof Unreachable && other instanceof Unreachable;
}

/** Returns true for an error that the banner above every page reports. */
export function isOutage(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiError && error.status >= 500);
}

/** Returns the error that the banner reports now; null if everything shown could be read. */
export function useTrouble(): Error | null {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    useCallback((listener) => cache.subscribe(listener), [cache]),
    () => troubleOf(cache.getAll()),
  );
}
