import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { because, reasonBody, type Action } from "./actions";
import { RawJson } from "./rawJson";

/** Reads of reduce groups, which skip records that have not changed. */
export const reduceQueries = {
  groups: (after?: string) =>
    queryOptions({
      queryKey: ["reduce", "groups", after],
      queryFn: ({ signal }) => api("GET /reduce-groups", { query: { after, limit: 100 }, signal }),
    }),
  record: (group: string, key: string) =>
    queryOptions({
      queryKey: ["reduce", "record", group, key],
      queryFn: ({ signal }) => api("GET /reduce-groups/record", { query: { group, key }, signal }),
    }),
};

export function resetGroup(group: string, reason: string) {
  return {
    operation: "POST /reduce-groups/reset",
    body: { group, ...reasonBody(reason) },
    command: ["reduce", "reset", group, ...because(reason)],
  } satisfies Action;
}

export function forgetKeys(group: string, keys: string[], reason: string) {
  return {
    operation: "POST /reduce-groups/forget",
    body: { group, keys, ...reasonBody(reason) },
    command: ["reduce", "forget", group, ...keys, ...because(reason)],
  } satisfies Action;
}

export interface DryRun {
  group: string;
  /** Path of the key of a record; empty for its content. */
  key: string;
  ignore: string[];
  only: string[];
  /** JSON text, an array of records. */
  document: string;
}

/** Returns which of the records would be passed on; the server stores nothing. */
export function dryRun({ group, key, ignore, only, document }: DryRun) {
  return api("POST /reduce-groups/dry-run", {
    body: {
      group,
      ...(key ? { key } : {}),
      ...(ignore.length ? { ignore } : {}),
      ...(only.length ? { only } : {}),
      document: new RawJson(document) as unknown as unknown[], // as typed, so that no number loses digits
    },
  });
}
