import type { Fire } from "../api/schema";

export type FireOutcome = Fire["outcome"];

/** Returns a key that is unique among the fires of a sequence: a slot may have run several times. */
export const fireKey = ({ slot, executionId, at }: Fire) => `${slot} ${executionId ?? ""} ${at ?? ""}`;

/** The outcomes of a slot, each as a word and as a sentence. */
export const fireWords: Record<FireOutcome, { word: string; meaning: string }> = {
  completed: { word: "Completed", meaning: "All its tasks have succeeded." },
  running: { word: "Running", meaning: "Its execution has not ended." },
  aborted: { word: "Aborted", meaning: "Its execution failed permanently or was cancelled." },
  skipped: { word: "Skipped", meaning: "A policy or a calendar skipped it." },
  missed: { word: "Missed", meaning: "It did not run in time." },
  planned: { word: "Planned", meaning: "It is due in the future." },
  excluded: { word: "Excluded", meaning: "A calendar excludes it." },
};

/** "20 fires: 17 completed, 2 skipped, 1 running"; a fire may stand for several slots. */
export function firesText(fires: readonly Pick<Fire, "outcome" | "count">[]): string {
  if (fires.length === 0) return "No fires yet";
  const counts = new Map<FireOutcome, number>();
  for (const { outcome, count } of fires) counts.set(outcome, (counts.get(outcome) ?? 0) + Math.max(1, count));
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...counts].map(([outcome, count]) => `${count} ${fireWords[outcome].word.toLowerCase()}`);
  return `${all === 1 ? "1 fire" : `${all} fires`}: ${parts.join(", ")}`;
}

const triggers: Record<string, string> = {
  schedule: "schedule",
  manual: "manual run",
  request: "requested run",
  restart: "restart",
  backfill: "backfill",
};

export function triggerText(trigger: string): string {
  return triggers[trigger.toLowerCase()] ?? trigger;
}

/** Returns the tooltip of a fire; `when` formats a moment. */
export function fireTitle(fire: Fire, when: (at: string) => string): string {
  const { slot, outcome, trigger, from, to, count, reason, executionId } = fire;
  return [
    `${fireWords[outcome].word}: ${when(slot)}`,
    count > 1 ? `and ${count - 1} more after it` : "",
    `trigger: ${triggerText(trigger)}`,
    from && to ? `window ${when(from)} to ${when(to)}` : "",
    reason ?? "",
    executionId ? `execution ${executionId}` : "",
  ]
    .filter(Boolean)
    .join("\n");
}
