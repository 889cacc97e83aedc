import type { SequenceStatus } from "../../api/schema";
import type { SimpleSequenceAction } from "../../api/sequenceActions";

/** What the words about an action depend on. */
export interface Standing {
  status: SequenceStatus;
  active: boolean;
  pausedBy?: string | null;
  pauseReason?: string | null;
  nextRun?: string | null;
  /** The policy of its schedule; undefined when that is not known here. */
  misfire?: string;
  /** Whence it is registered again at each start. */
  origin?: string | null;
}

/** What becomes of missed slots: as a misfire policy, after what its overlap policy makes of that. */
export function missedPolicy(schedule: { [name: string]: unknown }): string {
  const misfire = String(schedule.misfire ?? "LATEST").toUpperCase();
  if (misfire === "SKIP") return misfire;
  const overlap = String(schedule.overlap ?? "").toUpperCase();
  return overlap === "CANCEL" ? "LATEST" : overlap === "BUFFER_ALL" ? "ALL" : misfire;
}

export type TextAction = SimpleSequenceAction | "run";

/** What an action does to a sequence as it stands: all of it, with whose pause ends. `now` is the server's time. */
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
        it.status === "ABORTED" || pause ? "It becomes active." : "Its schedule runs from now on.",
        it.status === "ABORTED" ? abortedStays : pause ? `${pause} goes on: until it is resumed, nothing begins.` : missed(it, now),
        undone(it),
      ];
    case "deactivate":
      return ["Nothing begins any more unless somebody runs it by hand. What runs now goes on.", undone(it, "To keep it from running for longer, pause it.")];
    case "pause":
      return [
        "Its schedule rests until it is resumed. What runs now goes on.",
        "Slots that are missed meanwhile are dealt with as its misfire policy says.",
      ];
    case "resume":
      return [
        `${pause || "Its pause"} ends.`,
        !it.active ? "It stays inactive." : it.status === "ABORTED" ? abortedStays : missed(it, now),
      ];
    case "run-immediately":
      return ["It runs before its time, as soon as an execution that runs now has ended.", wakes(it), awake(it) ? "" : missed(it, now)];
    case "restart":
      return [
        "It runs again from its first task, for the same window. To repeat only the task that failed, resume that instead.",
        wakes(it),
      ];
    case "run":
      return [
        "It runs for its last complete window, whether it is active or not.",
        it.status === "ABORTED" ? "The execution that was aborted is cancelled, and cannot be resumed after that." : "",
        runKeeps(it, pause),
      ];
  }
}

const abortedStays =
  "Its schedule still rests, because its last execution was aborted: restart it, or resume the task that failed.";

const awake = (it: Standing) => it.active && !it.pausedBy;

/** "The pause by ann (the shop is closed)"; empty when it is not paused. */
function pauseOf({ pausedBy, pauseReason }: Standing): string {
  return pausedBy ? `The pause by ${pausedBy}${pauseReason ? ` (${pauseReason})` : ""}` : "";
}

/** What else begins with an action that both activates and ends a pause. */
function wakes(it: Standing): string {
  const pause = pauseOf(it);
  if (pause && !it.active) return `${pause} ends, and it becomes active: its schedule runs, too.`;
  if (pause) return `${pause} ends: its schedule runs, too.`;
  return it.active ? "" : "It becomes active: its schedule runs, too.";
}

function runKeeps(it: Standing, pause: string): string {
  if (pause) return `${pause} stays.`;
  if (!it.active) return "It stays inactive.";
  return it.status === "ABORTED" ? "When this run ends well, its schedule runs again." : "Its schedule stays as it is.";
}

/** What becomes of slots that have passed while it rested. */
function missed({ nextRun, misfire }: Standing, now: number): string {
  if (!nextRun || Date.parse(nextRun) > now) return "";
  switch (misfire) {
    case undefined:
      return "Slots were missed; they are dealt with at once as its misfire policy says.";
    case "SKIP":
      return "Slots were missed; they are left out.";
    case "ALL":
      return "Slots were missed; they run at once, one after another.";
    default:
      return "Slots were missed; the newest of them runs at once.";
  }
}

/** That what registers it undoes the action. */
function undone({ origin }: Standing, instead = ""): string {
  return origin ? `That lasts until a server starts, which registers it from ${origin} again. ${instead}`.trim() : "";
}
