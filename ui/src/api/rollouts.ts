import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { reasonBody, type Deed } from "./deeds";
import type { Operations } from "./schema";

/** Nodes that are replaced, one after another. */
export const rolloutQueries = {
  list: () => queryOptions({ queryKey: ["rollouts"], queryFn: ({ signal }) => api("GET /rollouts", { signal }) }),
  /** What an executor still holds, which its drain waits for. */
  holding: (id: number) =>
    queryOptions({
      queryKey: ["executors", "holding", id],
      queryFn: ({ signal }) => api("GET /executors/{id}/holding", { path: { id }, query: { limit: 10 }, signal }),
    }),
};

export type RolloutRequest = Omit<Operations["POST /rollouts"]["body"], "reason">;

export function startRollout(request: RolloutRequest, reason: string) {
  return { operation: "POST /rollouts", body: { ...request, ...reasonBody(reason) } } satisfies Deed;
}

export type Steering = "pause" | "resume" | "abort";

export function steer(id: number, how: Steering, reason: string) {
  return { operation: `POST /rollouts/{id}/${how}` as const, path: { id }, body: reasonBody(reason) } satisfies Deed;
}
