import { queryOptions } from "@tanstack/react-query";
import { membersOf } from "../components/json";
import { api, apiText, serverNow, type Answer } from "./client";
import { because, reasonBody, type Action } from "./actions";
import { RawJson } from "./rawJson";
import type { Operations } from "./schema";

type Flows = Answer<"GET /flows">;
export type Flow = Flows["flows"][number];
export type Queue = Flow["queues"][number];
export type QueueJobs = Answer<"GET /flows/{flow}/queues/{queue}/jobs">;
export type QueueJob = QueueJobs["items"][number];
export type JobList = NonNullable<Operations["GET /flows/{flow}/queues/{queue}/jobs"]["query"]["list"]>;
export type FoundJob = Answer<"GET /flows/{flow}/jobs">["items"][number];

/** The flows as last read, and the time since which Redis is unreachable. */
export interface SeenFlows extends Flows {
  /** Time of the first read that did not reach Redis, in milliseconds since 1970; null while Redis is reachable. */
  awaySince: number | null;
  /** Number of locks that expire soon, by queue, as the server reported it. */
  locks: Record<string, number>;
}

/**
 * Returns the flows to show. The last figures stay while Redis does not answer. A job that a worker is just
 * dequeuing has no lock for a moment, so a missing lock counts only if two reads in a row report it.
 */
export function seen(before: SeenFlows | undefined, now: Flows, at: number): SeenFlows {
  if (now.configured && !now.reachable) {
    const flows = before?.flows.length ? before.flows : now.flows;
    return { ...now, flows, awaySince: before?.awaySince ?? at, locks: {} };
  }
  const locks = Object.fromEntries(now.flows.flatMap(({ queues }) => queues.map(({ name, locksExpiring }) => [name, locksExpiring])));
  const flows = now.flows.map((flow) => ({
    ...flow,
    queues: flow.queues.map((queue) => ({ ...queue, locksExpiring: Math.min(queue.locksExpiring, before?.locks[queue.name] ?? 0) })),
  }));
  return { ...now, flows, awaySince: null, locks };
}

/** A job whose fields keep their JSON text, so that no number loses digits. */
export interface Job extends Omit<FoundJob, "fields"> {
  fields: { name: string; json: string }[];
}

/** Parses the answer about a job. */
export function jobOf(text: string): Job {
  const fields = membersOf(text)?.find(({ name }) => name === "fields")?.json ?? "{}";
  return { ...(JSON.parse(text) as FoundJob), fields: membersOf(fields) ?? [] };
}

/** Reads of flows of jobs in Redis. There are no events about their changes, so the pages poll. */
export const flowQueries = {
  all: () =>
    queryOptions({
      queryKey: ["flows"],
      queryFn: async ({ signal, client }) => {
        const now = await api("GET /flows", { signal });
        return seen(client.getQueryData<SeenFlows>(["flows"]), now, serverNow());
      },
    }),
  list: (flow: string, queue: string, list: JobList, cursor?: string) =>
    queryOptions({
      queryKey: ["flows", "list", flow, queue, list, cursor],
      queryFn: ({ signal }) =>
        api("GET /flows/{flow}/queues/{queue}/jobs", { path: { flow, queue }, query: { list, cursor, limit: 50 }, signal }),
    }),
  find: (flow: string, field: string, value: string) =>
    queryOptions({
      queryKey: ["flows", "find", flow, field, value],
      queryFn: ({ signal }) => api("GET /flows/{flow}/jobs", { path: { flow }, query: { field, value, limit: 100 }, signal }),
    }),
  job: (flow: string, id: string) =>
    queryOptions({
      queryKey: ["flows", "job", flow, id],
      queryFn: async ({ signal }) => jobOf(await apiText("GET /flows/{flow}/jobs/{id}", { path: { flow, id }, signal })),
    }),
};

/** Returns the words after `millrace`; none if the command line would read one of them as an option or a file. */
const commandOf = (own: string[], given: readonly string[], options: string[] = []) =>
  given.some((word) => /^[@-]/.test(word)) ? {} : { command: [...own, ...given, ...options] };

/** Returns the action that stops Millrace's workers from dequeuing jobs, or lets them dequeue again. */
export function pauseQueue(flow: string, queue: string, on: boolean, reason: string) {
  return {
    operation: `POST /flows/{flow}/queues/{queue}/${on ? ("pause" as const) : ("resume" as const)}` as const,
    path: { flow, queue },
    body: reasonBody(reason),
    ...commandOf(["queues", on ? "pause" : "resume"], [flow, queue], because(reason)),
  } satisfies Action;
}

/** Returns the action that retries dead jobs: the named ones, or all. */
export function requeueJobs(flow: string, queue: string, ids: readonly string[] | null, reason: string) {
  return {
    operation: "POST /flows/{flow}/queues/{queue}/requeue",
    path: { flow, queue },
    body: { ...(ids ? { ids: [...ids] } : {}), ...reasonBody(reason) },
    ...commandOf(["queues", "requeue"], [flow, queue, ...(ids ?? [])], because(reason)),
  } satisfies Action;
}

export function deleteJob(flow: string, id: string) {
  return { operation: "DELETE /flows/{flow}/jobs/{id}", path: { flow, id }, ...commandOf(["jobs", "delete"], [flow, id]) } satisfies Action;
}

export interface JobRequest {
  /** JSON text of an object. */
  fields: string;
  delaySeconds?: number;
  priority?: number;
  uniqueKey?: string;
  correlationId?: string;
}

export function createJob(flow: string, { fields, ...rest }: JobRequest): Action<"POST /flows/{flow}/jobs"> {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== "");
  const body = { fields: new RawJson(fields), ...Object.fromEntries(given) };
  const names = { delaySeconds: "--delay", priority: "--priority", uniqueKey: "--unique", correlationId: "--correlation-id" };
  const options = given.flatMap(([name, value]) => [names[name as keyof typeof names], String(value)]);
  const plain = commandOf(["jobs", "create"], [flow, rest.uniqueKey ?? "", rest.correlationId ?? ""]).command;
  return {
    operation: "POST /flows/{flow}/jobs",
    path: { flow },
    body: body as unknown as Operations["POST /flows/{flow}/jobs"]["body"],
    ...(plain ? { command: ["jobs", "create", flow, "--fields", fields, ...options] } : {}),
  };
}
