import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { because, reasonBody, type Action } from "./actions";

export const channelQueries = {
  channels: () =>
    queryOptions({ queryKey: ["channels"], queryFn: ({ signal }) => api("GET /channels", { signal }) }),
  /**
   * Dead letters of a channel. A broker shows them by delivering them and taking them back, which disturbs users who
   * move them at the same time. They are read when they are opened, on request, and after they were moved; other
   * changes do not invalidate them.
   */
  deadLetters: (channel: string, limit: number) =>
    queryOptions({
      queryKey: ["dead-letters", channel, limit],
      staleTime: Infinity,
      gcTime: 0,
      refetchOnReconnect: false,
      queryFn: ({ signal }) =>
        api("GET /channels/{channel}/dead-letters", { path: { channel }, query: { limit }, signal }),
    }),
};

/** Returns the action that moves the oldest dead letters of a channel back into it, at most `limit` of them. */
export function requeue(channel: string, limit: number, reason: string) {
  return {
    operation: "POST /channels/{channel}/requeue",
    path: { channel },
    body: { limit, ...reasonBody(reason) },
    command: ["channels", "requeue", channel, "--limit", String(limit), ...because(reason)],
  } satisfies Action;
}
