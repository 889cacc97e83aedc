import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { because, reasonBody, type Action } from "./actions";

export const channelQueries = {
  channels: () =>
    queryOptions({ queryKey: ["channels"], queryFn: ({ signal }) => api("GET /channels", { signal }) }),
  /**
   * A broker shows dead letters by handing them out and taking them back, which disturbs whoever moves them meanwhile.
   * So they are read when they are opened, when somebody asks for it, and after they were moved: no change of
   * something else makes them old.
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

/** Moves the oldest dead letters of a channel back into it, at most `limit` of them. */
export function requeue(channel: string, limit: number, reason: string) {
  return {
    operation: "POST /channels/{channel}/requeue",
    path: { channel },
    body: { limit, ...reasonBody(reason) },
    command: ["channels", "requeue", channel, "--limit", String(limit), ...because(reason)],
  } satisfies Action;
}
