import type { SequenceStatus } from "../../api/schema";
import type { SimpleSequenceAction } from "../../api/sequenceActions";

/** The state of a sequence that the description of an action depends on. */
export interface Standing {
  status: SequenceStatus;
  active: boolean;
  pausedBy?: string | null;
  pauseReason?: string | null;
  nextRun?: string | null;
  /** Misfire policy of its schedule; undefined if it is unknown. */
  misfire?: string;
  /** File or code that registers the sequence at each server start. */
  origin?: string | null;
}

/** Returns the effective misfire policy of a schedule, which also depends on its overlap policy. */
export function missedPolicy(schedule: { [name: string]: unknown }): string {
  const misfire = String(schedule.misfire ?? "LATEST").toUpperCase();
  if (misfire === "NONE") return misfire;
  const overlap = String(schedule.overlap ?? "").toUpperCase();
  return overlap === "CANCEL" ? "LATEST" : overlap === "BUFFER_ALL" ? "ALL" : misfire;
}

export type TextAction = SimpleSequenceAction | "run";

/** Returns the complete effect of an action on a sequence in its current state. `now` is the server's time. */
export function actionText(action: TextAction, standing: Standing, now: number): string {
  return sentences(action, standing, now)
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function sentences(action: TextAction, it: Standing, now: number): string[] {
  const pause = pauseOf(it);
  switch (action) {
    case "activate":
      return [
        it.status === "ABORTED" || pause ? "The sequence becomes active." : "The schedule runs from now on.",
        it.status === "ABORTED" ? abortedStays : pause ? `${pause} remains: the schedule does not run until it is resumed.` : missed(it, now),
        undone(it),
      ];
    case "deactivate":
      return ["The sequence runs only if a user starts it. A running execution continues.", undone(it, "To stop it for longer, pause it.")];
    case "pause":
      return [
        "The schedule does not run until it is resumed. A running execution continues.",
        "Slots that are missed meanwhile are handled according to the misfire policy.",
      ];
    case "resume":
      return [
        `${pause || "The pause"} ends.`,
        !it.active ? "The sequence stays inactive." : it.status === "ABORTED" ? abortedStays : missed(it, now),
      ];
    case "request-run":
      return ["The sequence runs before its next slot, as soon as a running execution has ended.", wakes(it), awake(it) ? "" : missed(it, now)];
    case "restart":
      return [
        "The sequence runs again from its first task, for the same window. To repeat only the failed task, resume it instead.",
        wakes(it),
      ];
    case "run":
      return [
        "The sequence runs for its last complete window, even if it is inactive.",
        it.status === "ABORTED" ? "The aborted execution is cancelled and cannot be resumed." : "",
        runKeeps(it, pause),
      ];
  }
}

const abortedStays =
  "Its schedule still does not run, because the last execution was aborted. Restart the sequence, or resume the failed task.";

const awake = (it: Standing) => it.active && !it.pausedBy;

/** Returns "The pause by ann (the shop is closed)"; empty if the sequence is not paused. */
function pauseOf({ pausedBy, pauseReason }: Standing): string {
  return pausedBy ? `The pause by ${pausedBy}${pauseReason ? ` (${pauseReason})` : ""}` : "";
}

/** Returns the further effects of an action that both activates a sequence and ends a pause. */
function wakes(it: Standing): string {
  const pause = pauseOf(it);
  if (pause && !it.active) return `${pause} ends, and the sequence becomes active. Its schedule runs again.`;
  if (pause) return `${pause} ends, and the schedule runs again.`;
  return it.active ? "" : "The sequence becomes active, and its schedule runs again.";
}

function runKeeps(it: Standing, pause: string): string {
  if (pause) return `${pause} remains.`;
  if (!it.active) return "The sequence stays inactive.";
  return it.status === "ABORTED" ? "When this run succeeds, the schedule runs again." : "The schedule does not change.";
}

/** Returns the handling of slots that were missed while the schedule did not run. */
function missed({ nextRun, misfire }: Standing, now: number): string {
  if (!nextRun || Date.parse(nextRun) > now) return "";
  switch (misfire) {
    case undefined:
      return "Slots were missed; they are handled immediately, according to the misfire policy.";
    case "NONE":
      return "Slots were missed; they do not run.";
    case "ALL":
      return "Slots were missed; they run immediately, one after another.";
    default:
      return "Slots were missed; the newest of them runs immediately.";
  }
}

/** Returns a warning if the file or code that registers the sequence undoes the action. */
function undone({ origin }: Standing, instead = ""): string {
  return origin ? `This lasts until the next server start, which registers the sequence from ${origin} again. ${instead}`.trim() : "";
}
