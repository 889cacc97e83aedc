import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { because, reasonBody, type Action } from "./actions";
import { RawJson } from "./rawJson";
import type { Operations } from "./schema";

export type ContinuousQuery = Operations["GET /continuous-workflows"]["query"];

/** Reads of continuous workflows. */
export const continuousQueries = {
  list: (query: ContinuousQuery) =>
    queryOptions({ queryKey: ["continuous-workflows", query], queryFn: ({ signal }) => api("GET /continuous-workflows", { query, signal }) }),
  one: (name: string) =>
    queryOptions({
      queryKey: ["continuous-workflows", "one", name],
      queryFn: ({ signal }) => api("GET /continuous-workflows/{name}", { path: { name }, signal }),
    }),
  /** Downtime within the last day. The server computes it from the log of the day, so it is read rarely. */
  downtime: (name: string) =>
    queryOptions({
      queryKey: ["continuous-downtime", name],
      staleTime: 60_000,
      queryFn: async ({ signal }) => (await api("GET /continuous-workflows/{name}", { path: { name }, signal })).downtimeMs,
    }),
  log: (name: string, before?: number, limit = 50) =>
    queryOptions({
      queryKey: ["continuous-workflows", "log", name, before, limit],
      queryFn: ({ signal }) => api("GET /continuous-workflows/{name}/log", { path: { name }, query: { before, limit }, signal }),
    }),
};

export function enable(name: string, enabled: boolean, reason: string) {
  const how = enabled ? "enable" : "disable";
  return {
    operation: `POST /continuous-workflows/{name}/${how}` as const,
    path: { name },
    body: reasonBody(reason),
    command: ["continuous", how, name, ...because(reason)],
  } satisfies Action;
}

/** Returns the action that restarts the trigger on any node, or starts its next generation on the same node. */
export function startRun(name: string, how: "restart" | "continue", reason: string) {
  return {
    operation: `POST /continuous-workflows/{name}/${how}` as const,
    path: { name },
    body: reasonBody(reason),
    command: ["continuous", how, name, ...because(reason)],
  } satisfies Action;
}

export function moveTo(name: string, executor: number, reason: string) {
  return {
    operation: "POST /continuous-workflows/{name}/move",
    path: { name },
    body: { executor, ...reasonBody(reason) },
    command: ["continuous", "move", name, "--to", String(executor), ...because(reason)],
  } satisfies Action;
}

/** Returns the action that runs one event now. The payload is JSON text. */
export function runNow(name: string, payload: string, debug: boolean, reason: string) {
  return {
    operation: "POST /continuous-workflows/{name}/run",
    path: { name },
    body: { payload: new RawJson(payload), ...(debug ? { debug } : {}), ...reasonBody(reason) },
    ...(debug ? {} : { command: ["continuous", "run", name, "--payload", payload, ...because(reason)] }),
  } satisfies Action;
}

/** Returns the action that starts or extends a debug session. */
export function lookInto(name: string, reason: string) {
  return { operation: "PUT /continuous-workflows/{name}/debug", path: { name }, body: reasonBody(reason) } satisfies Action;
}

export function stopLooking(name: string) {
  return { operation: "DELETE /continuous-workflows/{name}/debug", path: { name } } satisfies Action;
}
