import type { SequenceSummary } from "../../api/schema";

/** Why its schedule does not run now; null when it runs. */
export function restReason({ active, pausedBy, status }: Pick<SequenceSummary, "active" | "pausedBy" | "status">): string | null {
  if (!active) return "inactive";
  if (pausedBy) return "paused";
  return status === "ABORTED" ? "aborted" : null;
}
