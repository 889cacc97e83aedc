import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import type { Operations } from "./schema";

export type SequenceQuery = Operations["GET /sequences"]["query"];
export type ScheduleJson = Record<string, unknown>;

/** Reads of task sequences; see queries.ts. */
export const sequenceQueries = {
  list: (query: SequenceQuery) =>
    queryOptions({
      queryKey: ["sequences", query],
      queryFn: ({ signal }) => api("GET /sequences", { query, signal }),
    }),
  one: (sequenceId: string) =>
    queryOptions({
      queryKey: ["sequence", sequenceId],
      queryFn: ({ signal }) => api("GET /sequences/{sequenceId}", { path: { sequenceId }, signal }),
    }),
  slots: (sequenceId: string, cursor: string | undefined, limit: number) =>
    queryOptions({
      queryKey: ["sequence", sequenceId, "slots", cursor, limit],
      queryFn: ({ signal }) =>
        api("GET /sequences/{sequenceId}/slots", { path: { sequenceId }, query: { cursor, limit }, signal }),
    }),
  /** The explanation of a schedule, with its zone. It depends on the current time, so it is not cached for long. */
  explain: (schedule: ScheduleJson) =>
    queryOptions({
      queryKey: ["explain", schedule],
      queryFn: async ({ signal }) => ({
        explanation: await api("POST /schedules/explain", { body: { schedule, slots: 5 }, signal }),
        zone: typeof schedule.zone === "string" ? schedule.zone : "UTC",
      }),
    }),
  types: () =>
    queryOptions({ queryKey: ["task-types"], queryFn: ({ signal }) => api("GET /task-types", { signal }) }),
  tasks: () => queryOptions({ queryKey: ["tasks"], queryFn: ({ signal }) => api("GET /tasks", { signal }) }),
};
