import type { Operation } from "../../api/client";
import type { SequenceDetail } from "../../api/schema";

export type SequenceActionName = SequenceDetail["actions"][number];

/** Labels of the buttons, in the order of the menu, and the operations that they call. */
export const sequenceActions: Record<SequenceActionName, { word: string; operation: Operation }> = {
  run: { word: "Run now", operation: "POST /sequences/{sequenceId}/run" },
  "request-run": { word: "Request a run", operation: "POST /sequences/{sequenceId}/request-run" },
  "resume-task": { word: "Resume failed task", operation: "POST /instances/{id}/retry" },
  restart: { word: "Restart", operation: "POST /sequences/{sequenceId}/restart" },
  resume: { word: "Resume schedule", operation: "POST /sequences/{sequenceId}/resume" },
  pause: { word: "Pause schedule", operation: "POST /sequences/{sequenceId}/pause" },
  activate: { word: "Activate", operation: "POST /sequences/{sequenceId}/activate" },
  deactivate: { word: "Deactivate", operation: "POST /sequences/{sequenceId}/deactivate" },
  backfill: { word: "Backfill", operation: "POST /sequences/{sequenceId}/backfill" },
  remove: { word: "Remove", operation: "DELETE /sequences/{sequenceId}" },
};

/** Returns the actions that are possible now and permitted for the user, in the order of the menu. */
export function offered(
  possible: readonly SequenceActionName[],
  may: (operation: Operation) => boolean,
): SequenceActionName[] {
  const all = Object.keys(sequenceActions) as SequenceActionName[];
  return all.filter((name) => possible.includes(name) && may(sequenceActions[name].operation));
}

/** Actions that help a sequence that needs an operator; each has its own button. */
export const helping: readonly SequenceActionName[] = ["resume-task", "restart", "resume"];
