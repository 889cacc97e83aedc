import type { SequenceDetail } from "../../api/schema";

export type TaskProgress = "done" | "current" | "toCome" | "unknown";

type Progressing = Pick<SequenceDetail, "status" | "currentTask" | "currentSequence" | "tasks">;

/**
 * Returns the progress of the newest execution for each task. It is unknown if the sequence no longer has the current
 * task, or has it more than once and not at its place.
 */
export function progressOf({ status, currentTask, currentSequence, tasks }: Progressing): TaskProgress[] {
  if (status === "NOT_STARTED") return tasks.map(() => "toCome");
  if (status === "COMPLETED") return tasks.map(() => "done");
  const places = tasks.flatMap((task, index) => (task === currentTask ? [index] : []));
  const place = currentSequence ? currentSequence - 1 : -1;
  const at = places.includes(place) ? place : places.length === 1 ? places[0] : undefined;
  if (at === undefined) return tasks.map(() => "unknown");
  return tasks.map((_, index) => (index < at ? "done" : index === at ? "current" : "toCome"));
}
