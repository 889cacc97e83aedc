import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { because, reasonBody, type Deed } from "./deeds";

export const channelQueries = {
  channels: () =>
    queryOptions({ queryKey: ["channels"], queryFn: ({ signal }) => api("GET /channels", { signal }) }),
  deadLetters: (channel: string, limit: number) =>
    queryOptions({
      queryKey: ["channels", channel, "dead-letters", limit],
      queryFn: ({ signal }) =>
        api("GET /channels/{channel}/dead-letters", { path: { channel }, query: { limit }, signal }),
    }),
};

/** Moves the oldest dead letters of a channel back into it, at most `limit` of them. */
export function requeue(channel: string, limit: number, reason: string) {
  return {
    operation: "POST /channels/{channel}/requeue",
    path: { channel },
    body: { limit, ...reasonBody(reason) },
    command: ["channels", "requeue", channel, "--limit", String(limit), ...because(reason)],
  } satisfies Deed;
}
