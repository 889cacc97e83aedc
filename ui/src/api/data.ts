import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import type { Action } from "./actions";
import type { KeyStatus, Operations } from "./schema";

export type LedgerQuery = Operations["GET /ledger"]["query"];
export type KeyValueQuery = Operations["GET /key-values"]["query"];

/** Reads of the period ledger. */
export const ledgerQueries = {
  schedules: () =>
    queryOptions({
      queryKey: ["ledger", "schedules"],
      queryFn: ({ signal }) => api("GET /ledger/schedules", { query: { limit: 200 }, signal }),
    }),
  periods: (query: LedgerQuery) =>
    queryOptions({ queryKey: ["ledger", query], queryFn: ({ signal }) => api("GET /ledger", { query, signal }) }),
  period: (schedule: string, period: string) =>
    queryOptions({
      queryKey: ["ledger", "period", schedule, period],
      queryFn: ({ signal }) => api("GET /ledger/period", { query: { schedule, period }, signal }),
    }),
};

/** Reads of values by group and key. */
export const keyValueQueries = {
  groups: () =>
    queryOptions({
      queryKey: ["key-values", "groups"],
      queryFn: ({ signal }) => api("GET /key-values/groups", { query: { limit: 200 }, signal }),
    }),
  list: (query: KeyValueQuery) =>
    queryOptions({ queryKey: ["key-values", query], queryFn: ({ signal }) => api("GET /key-values", { query, signal }) }),
  one: (group: string, key: string) =>
    queryOptions({
      queryKey: ["key-values", "one", group, key],
      queryFn: ({ signal }) => api("GET /key-values/value", { query: { group, key }, signal }),
    }),
};

export interface KeyContent {
  value: string;
  status: KeyStatus;
  /** Lifetime of the value; null if it does not expire. */
  expiresAfterSeconds: number | null;
}

/** Returns the action that writes a value if it still has the version; with null, if there is no value yet. */
export function setValue(group: string, key: string, { value, status, expiresAfterSeconds }: KeyContent, version: number | null): Action<"PUT /key-values/value"> {
  const options = [
    ...(status === "Unknown" ? [] : ["--status", status]),
    ...(expiresAfterSeconds === null ? [] : ["--expires-after", String(expiresAfterSeconds)]),
    ...(version === null ? ["--if-absent"] : ["--if-version", String(version)]),
  ];
  return {
    operation: "PUT /key-values/value",
    query: { group, key },
    body: { value, status, ...(expiresAfterSeconds === null ? {} : { expiresAfterSeconds }) },
    headers: version === null ? { "If-None-Match": "*" } : { "If-Match": `"${version}"` },
    ...([group, key, value].some((word) => /^[@-]/.test(word))
      ? {} // such words are options and files for the command line
      : { command: ["key-values", "set", group, key, value, ...options] }),
  };
}

export function deleteValue(group: string, key: string, version: number): Action<"DELETE /key-values/value"> {
  return {
    operation: "DELETE /key-values/value",
    query: { group, key },
    headers: { "If-Match": `"${version}"` },
    command: ["key-values", "delete", group, key, "--if-version", String(version)],
  };
}
