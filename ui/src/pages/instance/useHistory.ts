import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Action, LogLine } from "../../api/schema";

const page = 500;

/** The history as far as it has been read, oldest first. */
export function useHistory(id: number) {
  const query = useInfiniteQuery({
    queryKey: ["instance", id, "actions"],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api("GET /instances/{id}/actions", { path: { id }, query: { after: pageParam, limit: page }, signal }),
    getNextPageParam: ({ next }) => next,
  });
  const actions: Action[] = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return { query, actions };
}

/** The logged lines as far as they have been read, oldest first. */
export function useLogs(id: number) {
  const query = useInfiniteQuery({
    queryKey: ["instance", id, "logs"],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api("GET /instances/{id}/logs", { path: { id }, query: { after: pageParam, limit: page }, signal }),
    getNextPageParam: ({ next }) => next,
  });
  const lines: LogLine[] = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return { query, lines };
}
