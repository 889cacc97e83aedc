import type { SequenceSummary } from "../../api/schema";

interface Resting extends Pick<SequenceSummary, "active" | "pausedBy" | "status" | "executionPaused"> {
  /** Schedule of the sequence; left out if it is unknown. */
  schedule?: { [name: string]: unknown };
}

/** Returns the reason why the schedule does not run now; null if it runs. */
export function restReason({ active, pausedBy, status, executionPaused, schedule }: Resting): string | null {
  if (!active) return "inactive";
  if (pausedBy) return "paused";
  if (status === "ABORTED") return "aborted";
  return executionPaused && schedule && waitsForEnd(schedule) ? "execution paused" : null;
}

/** Returns true if a due run waits for the end of a running execution. */
export function waitsForEnd(schedule: { [name: string]: unknown }): boolean {
  return !/^(ALLOW|CANCEL)$/i.test(String(schedule.overlap ?? ""));
}
