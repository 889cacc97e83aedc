import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client";
import type { HistoryEntry, LogLine } from "../../api/schema";
import { joined, newest } from "./history";

const none: readonly HistoryEntry[] = [];

/**
 * Returns the newest part of the history, oldest first. Entries never change, so a change of the instance loads only
 * the entries that came since.
 */
export function useHistory(id: number, last: number) {
  const client = useQueryClient();
  const [from, setFrom] = useState(Math.max(0, last - newest));
  const queryKey = ["instance", id, "history", from];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      let all = client.getQueryData<readonly HistoryEntry[]>(queryKey) ?? none;
      let after: number | null = all.at(-1)?.seq ?? from;
      while (after !== null) {
        const page: { items: HistoryEntry[]; next: number | null } = await api("GET /instances/{id}/history", {
          path: { id },
          query: { after, limit: 1000 },
          signal,
        });
        all = joined(all, page.items);
        after = page.next;
      }
      return all;
    },
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const entries = query.data ?? none;
  const earlier = (entries[0]?.seq ?? 1) - 1;
  return { query, entries, earlier, readEarlier: () => setFrom(Math.max(0, earlier - newest)) };
}

/** Returns the loaded log lines, oldest first. */
export function useLogs(id: number) {
  const query = useInfiniteQuery({
    queryKey: ["instance", id, "logs"],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api("GET /instances/{id}/logs", { path: { id }, query: { after: pageParam, limit: 500 }, signal }),
    getNextPageParam: ({ next }) => next,
  });
  const lines: LogLine[] = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return { query, lines };
}
