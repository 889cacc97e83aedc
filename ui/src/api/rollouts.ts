import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { because, reasonBody, type Action } from "./actions";
import type { Operations } from "./schema";

/** Reads of rollouts, which replace nodes one after another. */
export const rolloutQueries = {
  list: () => queryOptions({ queryKey: ["rollouts"], queryFn: ({ signal }) => api("GET /rollouts", { signal }) }),
  policy: () =>
    queryOptions({ queryKey: ["recycle-policy"], queryFn: ({ signal }) => api("GET /recycle-policy", { signal }) }),
  /** Work that an executor still holds and that its drain waits for. */
  leasedInstances: (id: number) =>
    queryOptions({
      queryKey: ["executors", "instances", id],
      queryFn: ({ signal }) => api("GET /executors/{id}/instances", { path: { id }, query: { limit: 10 }, signal }),
    }),
};

export type RolloutRequest = Omit<Operations["POST /rollouts"]["body"], "reason">;

const option = (name: string, value: string | number | null | undefined) => (value == null ? [] : [name, String(value)]);

export function startRollout(request: RolloutRequest, reason: string) {
  const { nodes, graceSeconds, minReadySeconds, patienceSeconds } = request;
  return {
    operation: "POST /rollouts",
    body: { ...request, ...reasonBody(reason) },
    command: [
      ...["rollout", "start", ...(nodes ?? [])],
      ...option("--grace", graceSeconds),
      ...option("--min-ready", minReadySeconds),
      ...option("--patience", patienceSeconds),
      ...because(reason),
    ],
  } satisfies Action;
}

export type Steering = "pause" | "resume" | "abort";

export function steer(id: number, how: Steering, reason: string) {
  return {
    operation: `POST /rollouts/{id}/${how}` as const,
    path: { id },
    body: reasonBody(reason),
    command: ["rollout", how, String(id), ...because(reason)],
  } satisfies Action;
}

export type PolicyChange = Omit<Operations["PUT /recycle-policy"]["body"], "reason">;

export function changePolicy(policy: PolicyChange, reason: string) {
  const { enabled, at, zone, windowSeconds, maxAgeSeconds, memoryPercent } = policy;
  return {
    operation: "PUT /recycle-policy",
    body: { ...policy, ...reasonBody(reason) },
    command: [
      ...["recycle", "set", enabled ? "--on" : "--off", "--at", at, "--zone", zone],
      ...option("--window", windowSeconds),
      ...option("--max-age", maxAgeSeconds ?? 0),
      ...option("--memory", memoryPercent ?? 0),
      ...because(reason),
    ],
  } satisfies Action;
}
