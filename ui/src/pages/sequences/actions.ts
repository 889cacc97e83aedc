import type { Operation } from "../../api/client";
import type { SequenceDetail } from "../../api/schema";

export type SequenceActionName = SequenceDetail["actions"][number];

/** The words of a button, in the order of the menu, and the operation that it calls. */
export const sequenceActions: Record<SequenceActionName, { word: string; operation: Operation }> = {
  run: { word: "Run now", operation: "POST /sequences/{sequenceId}/run" },
  "run-immediately": { word: "Run immediately", operation: "POST /sequences/{sequenceId}/run-immediately" },
  "resume-task": { word: "Resume the failed task", operation: "POST /instances/{id}/retry" },
  restart: { word: "Restart", operation: "POST /sequences/{sequenceId}/restart" },
  resume: { word: "Resume the schedule", operation: "POST /sequences/{sequenceId}/resume" },
  pause: { word: "Pause the schedule", operation: "POST /sequences/{sequenceId}/pause" },
  activate: { word: "Activate", operation: "POST /sequences/{sequenceId}/activate" },
  deactivate: { word: "Deactivate", operation: "POST /sequences/{sequenceId}/deactivate" },
  backfill: { word: "Backfill", operation: "POST /sequences/{sequenceId}/backfill" },
  remove: { word: "Remove", operation: "DELETE /sequences/{sequenceId}" },
};

/** What is possible now and the user may do, in the order of the menu. */
export function offered(
  possible: readonly SequenceActionName[],
  may: (operation: Operation) => boolean,
): SequenceActionName[] {
  const all = Object.keys(sequenceActions) as SequenceActionName[];
  return all.filter((name) => possible.includes(name) && may(sequenceActions[name].operation));
}

/** The actions that help a sequence on that somebody has to look at; they get buttons of their own. */
export const helping: readonly SequenceActionName[] = ["resume-task", "restart", "resume"];
