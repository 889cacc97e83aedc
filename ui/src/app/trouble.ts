import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { ApiError, Unreachable } from "../api/client";

type Seen = Pick<Query, "state" | "isActive">;

/**
 * The error that the banner tells: of something on the screen that could not be read again, or of several parts
 * of the screen that could not be read at all.
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

/** The error of the last attempt. A query without data forgets it when the next attempt starts, and would flicker. */
function lastError(query: Seen): unknown {
  const { data, error } = query.state;
  if (error) errors.set(query, error);
  else if (data !== undefined) errors.delete(query);
  return error ?? errors.get(query) ?? null;
}

/** True for errors whose words are the same. */
export function isSameError(one: unknown, other: unknown): boolean {
  if (one instanceof ApiError && other instanceof ApiError) {
    return one.status === other.status && one.problem.title === other.problem.title && one.message === other.message;
  }
  return one instanceof Unreachable && other instanceof Unreachable;
}

/** True for an error that the banner above every page tells. */
export function isOutage(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiError && error.status >= 500);
}

/** The trouble of the moment; null when what is shown could be read. */
export function useTrouble(): Error | null {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    useCallback((listener) => cache.subscribe(listener), [cache]),
    () => troubleOf(cache.getAll()),
  );
}
