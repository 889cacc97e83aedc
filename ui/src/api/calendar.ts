import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import type { Operations } from "./schema";

export type TaskVisitQuery = Operations["GET /task-visits"]["query"];

/** Reads of the calendar, of task executions and of reports. */
export const calendarQueries = {
  calendar: (from: string, to: string, zone: string) =>
    queryOptions({
      queryKey: ["calendar", from, to, zone],
      queryFn: ({ signal }) => api("GET /calendar", { query: { from, to, zone }, signal }),
    }),
  taskVisits: (query: TaskVisitQuery) =>
    queryOptions({
      queryKey: ["taskVisits", query],
      queryFn: ({ signal }) => api("GET /task-visits", { query, signal }),
    }),
  reports: () => queryOptions({ queryKey: ["reports"], queryFn: ({ signal }) => api("GET /reports", { signal }) }),
};
