import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { meet } from "./meet";
import type { Operations } from "./schema";

export type Range = "1h" | "24h" | "7d" | "30d";
export type InstanceQuery = Operations["GET /instances"]["query"];
export type CountQuery = Operations["GET /instances/count"]["query"];
export type AuditQuery = Operations["GET /audit"]["query"];

/** Reads of the server. Live updates refer to the first word of a query key; see live/touched.ts. */
export const queries = {
  session: () =>
    queryOptions({
      queryKey: ["session"],
      queryFn: async ({ signal, client }) => meet(client, await api("GET /session", { signal })),
      staleTime: Infinity,
    }),
  overview: (range: Range) =>
    queryOptions({
      queryKey: ["overview", range],
      queryFn: ({ signal }) => api("GET /overview", { query: { range }, signal }),
    }),
  statistics: (range: Range, type?: string) =>
    queryOptions({
      queryKey: ["statistics", range, type],
      queryFn: ({ signal }) => api("GET /statistics", { query: { range, type }, signal }),
    }),
  problems: () =>
    queryOptions({ queryKey: ["problems"], queryFn: ({ signal }) => api("GET /problems", { signal }) }),
  failures: () =>
    queryOptions({
      queryKey: ["failures"],
      queryFn: ({ signal }) => api("GET /failures", { query: { limit: 200 }, signal }),
    }),
  instances: (query: InstanceQuery) =>
    queryOptions({
      queryKey: ["instances", query],
      queryFn: ({ signal }) => api("GET /instances", { query, signal }),
    }),
  count: (query: CountQuery) =>
    queryOptions({
      queryKey: ["instances", "count", query],
      queryFn: ({ signal }) => api("GET /instances/count", { query, signal }),
    }),
  instance: (id: number) =>
    queryOptions({
      queryKey: ["instance", id],
      queryFn: ({ signal }) => api("GET /instances/{id}", { path: { id }, signal }),
    }),
  variables: (id: number) =>
    queryOptions({
      queryKey: ["instance", id, "variables"],
      queryFn: ({ signal }) => api("GET /instances/{id}/variables", { path: { id }, signal }),
    }),
  inboxMessages: (id: number) =>
    queryOptions({
      queryKey: ["instance", id, "messages"],
      queryFn: ({ signal }) => api("GET /instances/{id}/messages", { path: { id }, signal }),
    }),
  definitions: () =>
    queryOptions({ queryKey: ["definitions"], queryFn: ({ signal }) => api("GET /definitions", { signal }) }),
  definition: (type: string, version?: number) =>
    queryOptions({
      queryKey: ["definition", type, version],
      queryFn: ({ signal }) => api("GET /definitions/{type}", { path: { type }, query: { version }, signal }),
    }),
  executors: () =>
    queryOptions({ queryKey: ["executors"], queryFn: ({ signal }) => api("GET /executors", { signal }) }),
  bulkRuns: () => queryOptions({ queryKey: ["bulk"], queryFn: ({ signal }) => api("GET /bulk", { signal }) }),
  bulkRun: (id: number) =>
    queryOptions({
      queryKey: ["bulk", id],
      queryFn: ({ signal }) => api("GET /bulk/{id}", { path: { id }, signal }),
    }),
  audit: (query: AuditQuery) =>
    queryOptions({ queryKey: ["audit", query], queryFn: ({ signal }) => api("GET /audit", { query, signal }) }),
  settings: () =>
    queryOptions({ queryKey: ["settings"], queryFn: ({ signal }) => api("GET /settings", { signal }) }),
  users: () => queryOptions({ queryKey: ["users"], queryFn: ({ signal }) => api("GET /users", { signal }) }),
  keys: () => queryOptions({ queryKey: ["keys"], queryFn: ({ signal }) => api("GET /keys", { signal }) }),
};
