import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { because, reasonBody, type Action } from "./actions";
import type { MaintenancePlan, MaintenanceStage } from "./schema";

export const maintenanceQueries = {
  maintenances: () =>
    queryOptions({ queryKey: ["maintenances"], queryFn: ({ signal }) => api("GET /maintenances", { signal }) }),
  subscriptions: () =>
    queryOptions({
      queryKey: ["subscriptions"],
      queryFn: ({ signal }) => api("GET /subscriptions", { query: { limit: 200 }, signal }),
    }),
};

function planWords({ title, text, affected, impact, from, until, automatic }: MaintenancePlan): string[] {
  return [
    title,
    ...["--from", from, "--until", until],
    ...(text ? ["--text", text] : []),
    ...(affected ?? []).flatMap((name) => ["--affected", name]),
    ...(impact && impact !== "none" ? ["--impact", impact] : []),
    ...(automatic === false ? ["--by-hand"] : []),
  ];
}

/** Plans a maintenance, or changes the plan of the one with this id. */
export function savePlan(plan: MaintenancePlan, id?: number) {
  const words = ["maintenance", "plan", ...planWords(plan)];
  return id === undefined
    ? ({ operation: "POST /maintenances" as const, body: plan, command: words } satisfies Action)
    : ({
        operation: "PUT /maintenances/{id}" as const,
        path: { id },
        body: plan,
        command: [...words, "--change", String(id)],
      } satisfies Action);
}

export function advance(id: number, to: MaintenanceStage, reason: string) {
  return {
    operation: "POST /maintenances/{id}/advance",
    path: { id },
    body: { to, ...reasonBody(reason) },
    command: ["maintenance", "advance", String(id), to, ...because(reason)],
  } satisfies Action;
}

export function subscribe(kind: "mail" | "webhook", address: string, affected: string[]) {
  return {
    operation: "POST /subscriptions",
    body: { [kind]: address, affected },
    command: [
      ...["maintenance", "subscribe", `--${kind}`, address],
      ...affected.flatMap((name) => ["--affected", name]),
    ],
  } satisfies Action;
}

export function unsubscribe(id: number) {
  return {
    operation: "DELETE /subscriptions/{id}",
    path: { id },
    command: ["maintenance", "unsubscribe", String(id)],
  } satisfies Action;
}
