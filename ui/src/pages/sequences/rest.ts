import type { SequenceSummary } from "../../api/schema";

interface Resting extends Pick<SequenceSummary, "active" | "pausedBy" | "status" | "executionPaused"> {
  /** Left out where it is not known; then nothing is said of what depends on it. */
  schedule?: { [name: string]: unknown };
}

/** Why its schedule does not run now; null when it runs. */
export function restReason({ active, pausedBy, status, executionPaused, schedule }: Resting): string | null {
  if (!active) return "inactive";
  if (pausedBy) return "paused";
  if (status === "ABORTED") return "aborted";
  return executionPaused && schedule && waitsForEnd(schedule) ? "execution paused" : null;
}

/** Whether a run that is due lets one that has not ended go first. */
export function waitsForEnd(schedule: { [name: string]: unknown }): boolean {
  return !/^(ALLOW|CANCEL)$/i.test(String(schedule.overlap ?? ""));
}
