import { because, reasonBody, type Action } from "./actions";
import { RawJson } from "./rawJson";
import type { Sequence, SequenceTask } from "./schema";
import type { ScheduleJson } from "./sequences";

export type SimpleSequenceAction = "activate" | "deactivate" | "pause" | "resume" | "request-run" | "restart";

/** Returns an action on a task sequence that takes nothing but a reason. */
export function onSequence<A extends SimpleSequenceAction>(action: A, sequenceId: string, reason: string) {
  return {
    operation: `POST /sequences/{sequenceId}/${action}` as `POST /sequences/{sequenceId}/${A}`,
    path: { sequenceId },
    body: reasonBody(reason),
    command: ["sequences", action, sequenceId, ...because(reason)],
  } satisfies Action;
}

/** Returns the action that runs a sequence now. The parameters are JSON text; empty for none. */
export function runSequence(sequenceId: string, parameters: string, reason: string) {
  return {
    operation: "POST /sequences/{sequenceId}/run",
    path: { sequenceId },
    body: { ...(parameters ? { parameters: new RawJson(parameters) as never } : {}), ...reasonBody(reason) },
    command: ["sequences", "run", sequenceId, ...(parameters ? ["--parameters", parameters] : []), ...because(reason)],
  } satisfies Action;
}

/** Returns the action that runs the slots between two moments that have not run, or only lists them. */
export function backfill(sequenceId: string, from: string, to: string, dryRun: boolean, reason: string) {
  return {
    operation: "POST /sequences/{sequenceId}/backfill",
    path: { sequenceId },
    body: { from, to, dryRun, ...reasonBody(reason) },
    command: [
      ...["sequences", "backfill", sequenceId, "--from", from, "--to", to],
      ...(dryRun ? ["--dry-run"] : []),
      ...because(reason),
    ],
  } satisfies Action;
}

export function removeSequence(sequenceId: string) {
  return {
    operation: "DELETE /sequences/{sequenceId}",
    path: { sequenceId },
    command: ["sequences", "remove", sequenceId],
  } satisfies Action;
}

/** A sequence as sent to the server; parameters are JSON text, inserted unchanged. */
export type SequenceBody = Omit<Sequence, "tasks" | "schedule" | "parameters"> & {
  tasks: (Omit<SequenceTask, "parameters"> & { parameters?: RawJson })[];
  schedule: ScheduleJson;
  parameters?: RawJson;
};

/** Returns the action that adds a sequence or, given a tag, changes that version. The command reads a file. */
export function saveSequence(body: SequenceBody, tag?: string) {
  const file = `${body.sequenceId || "sequence"}.json`;
  return tag === undefined
    ? ({ operation: "POST /sequences", body, command: ["sequences", "add", file] } satisfies Action)
    : ({
        operation: "PUT /sequences/{sequenceId}",
        path: { sequenceId: body.sequenceId },
        query: { tag },
        body,
        command: ["sequences", "change", file],
      } satisfies Action);
}
