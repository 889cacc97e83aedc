import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { because, reasonBody, type Action } from "./actions";
import { RawJson } from "./rawJson";
import type { Operations } from "./schema";

export type AlwaysOnQuery = Operations["GET /always-on"]["query"];

/** Continuous workflows. */
export const alwaysOnQueries = {
  list: (query: AlwaysOnQuery) =>
    queryOptions({ queryKey: ["always-on", query], queryFn: ({ signal }) => api("GET /always-on", { query, signal }) }),
  one: (name: string) =>
    queryOptions({
      queryKey: ["always-on", "one", name],
      queryFn: ({ signal }) => api("GET /always-on/{name}", { path: { name }, signal }),
    }),
  /** Costs a look through a day of events, so it is asked for seldom; no change makes it old. */
  downtime: (name: string) =>
    queryOptions({
      queryKey: ["always-on-downtime", name],
      staleTime: 60_000,
      queryFn: async ({ signal }) => (await api("GET /always-on/{name}", { path: { name }, signal })).downtimeMs,
    }),
  events: (name: string, before?: number, limit = 50) =>
    queryOptions({
      queryKey: ["always-on", "events", name, before, limit],
      queryFn: ({ signal }) => api("GET /always-on/{name}/events", { path: { name }, query: { before, limit }, signal }),
    }),
};

export function desire(name: string, desired: "on" | "off", reason: string) {
  return {
    operation: "PUT /always-on/{name}/desired",
    path: { name },
    body: { desired, ...reasonBody(reason) },
    command: ["always-on", desired, name, ...because(reason)],
  } satisfies Action;
}

/** Has its trigger opened anew by any node, or its next generation begin on the same one. */
export function anew(name: string, how: "restart" | "continue", reason: string) {
  return {
    operation: `POST /always-on/{name}/${how}` as const,
    path: { name },
    body: reasonBody(reason),
    command: ["always-on", how, name, ...because(reason)],
  } satisfies Action;
}

export function moveTo(name: string, executor: number, reason: string) {
  return {
    operation: "POST /always-on/{name}/move",
    path: { name },
    body: { executor, ...reasonBody(reason) },
    command: ["always-on", "move", name, "--to", String(executor), ...because(reason)],
  } satisfies Action;
}

/** The payload is JSON text. */
export function runNow(name: string, payload: string, debug: boolean, reason: string) {
  return {
    operation: "POST /always-on/{name}/run",
    path: { name },
    body: { payload: new RawJson(payload), ...(debug ? { debug } : {}), ...reasonBody(reason) },
    ...(debug ? {} : { command: ["always-on", "run", name, "--payload", payload, ...because(reason)] }),
  } satisfies Action;
}

/** Begins or prolongs a session of looking into it. */
export function lookInto(name: string, reason: string) {
  return { operation: "PUT /always-on/{name}/debug", path: { name }, body: reasonBody(reason) } satisfies Action;
}

export function stopLooking(name: string) {
  return { operation: "DELETE /always-on/{name}/debug", path: { name } } satisfies Action;
}
