import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import type { Operations } from "./schema";

export type TaskExecutionQuery = Operations["GET /task-executions"]["query"];

/** Reads of the calendar, of task executions and of reports. */
export const calendarQueries = {
  calendar: (from: string, to: string, zone: string) =>
    queryOptions({
      queryKey: ["calendar", from, to, zone],
      queryFn: ({ signal }) => api("GET /calendar", { query: { from, to, zone }, signal }),
    }),
  taskExecutions: (query: TaskExecutionQuery) =>
    queryOptions({
      queryKey: ["taskExecutions", query],
      queryFn: ({ signal }) => api("GET /task-executions", { query, signal }),
    }),
  reports: () => queryOptions({ queryKey: ["reports"], queryFn: ({ signal }) => api("GET /reports", { signal }) }),
};
