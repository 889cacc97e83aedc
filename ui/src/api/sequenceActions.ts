import { because, reasonBody, type Action } from "./actions";
import { RawJson } from "./rawJson";
import type { Sequence, SequenceStep } from "./schema";
import type { ScheduleJson } from "./sequences";

export type SimpleSequenceAction = "activate" | "deactivate" | "pause" | "resume" | "run-immediately" | "restart";

/** One of the actions that a workflow made of tasks needs nothing but a reason for. */
export function onSequence<A extends SimpleSequenceAction>(action: A, workflowId: string, reason: string) {
  return {
    operation: `POST /sequences/{workflowId}/${action}` as `POST /sequences/{workflowId}/${A}`,
    path: { workflowId },
    body: reasonBody(reason),
    command: ["sequences", action, workflowId, ...because(reason)],
  } satisfies Action;
}

/** Runs it now. The parameters are JSON text; empty for none. */
export function runSequence(workflowId: string, parameters: string, reason: string) {
  return {
    operation: "POST /sequences/{workflowId}/run",
    path: { workflowId },
    body: { ...(parameters ? { parameters: new RawJson(parameters) as never } : {}), ...reasonBody(reason) },
    command: ["sequences", "run", workflowId, ...(parameters ? ["--parameters", parameters] : []), ...because(reason)],
  } satisfies Action;
}

/** Runs what was not run between two moments, or only lists it. */
export function backfill(workflowId: string, from: string, to: string, dryRun: boolean, reason: string) {
  return {
    operation: "POST /sequences/{workflowId}/backfill",
    path: { workflowId },
    body: { from, to, dryRun, ...reasonBody(reason) },
    command: [
      ...["sequences", "backfill", workflowId, "--from", from, "--to", to],
      ...(dryRun ? ["--dry-run"] : []),
      ...because(reason),
    ],
  } satisfies Action;
}

export function removeSequence(workflowId: string) {
  return {
    operation: "DELETE /sequences/{workflowId}",
    path: { workflowId },
    command: ["sequences", "remove", workflowId],
  } satisfies Action;
}

/** A workflow as it is sent: parameters are JSON texts, put in as they are. */
export type SequenceBody = Omit<Sequence, "tasks" | "schedule" | "parameters"> & {
  tasks: (Omit<SequenceStep, "parameters"> & { parameters?: RawJson })[];
  schedule: ScheduleJson;
  parameters?: RawJson;
};

/** Adds a workflow, or changes the one of a tag. The command reads it from a file. */
export function saveSequence(body: SequenceBody, tag?: string) {
  const file = `${body.workflowId || "workflow"}.json`;
  return tag === undefined
    ? ({ operation: "POST /sequences", body, command: ["sequences", "add", file] } satisfies Action)
    : ({
        operation: "PUT /sequences/{workflowId}",
        path: { workflowId: body.workflowId },
        query: { tag },
        body,
        command: ["sequences", "change", file],
      } satisfies Action);
}
