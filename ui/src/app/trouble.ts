import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { ApiError, Unreachable } from "../api/client";

type Seen = Pick<Query, "state" | "isActive">;

/** Why what is shown may be old: the error of something on the screen that could not be read again. */
export function troubleOf(queries: readonly Seen[]): Error | null {
  const stale = queries.find((query) => query.isActive() && query.state.data !== undefined && isOutage(query.state.error));
  return (stale?.state.error as Error | undefined) ?? null;
}

function isOutage(error: unknown): boolean {
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
