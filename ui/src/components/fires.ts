import type { Fire } from "../api/schema";

export type FireOutcome = Fire["outcome"];

/** What tells a fire from the others of its sequence: a slot may have been run several times. */
export const fireKey = ({ slot, executionId, at }: Fire) => `${slot} ${executionId ?? ""} ${at ?? ""}`;

/** What became of a slot, in a word and in a sentence. */
export const fireWords: Record<FireOutcome, { word: string; meaning: string }> = {
  completed: { word: "Completed", meaning: "All its tasks have ended well." },
  running: { word: "Running", meaning: "Its execution has not ended." },
  aborted: { word: "Aborted", meaning: "Its execution failed for good or was cancelled." },
  skipped: { word: "Skipped", meaning: "It was not to run." },
  missed: { word: "Missed", meaning: "Nobody ran it in time." },
  planned: { word: "Planned", meaning: "It is still to come." },
  excluded: { word: "Excluded", meaning: "A calendar will keep it from running." },
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
  schedule: "by its schedule",
  manual: "by hand",
  immediate: "at once, as asked for",
  restart: "as a restart",
  backfill: "by a backfill",
};

export function triggerText(trigger: string): string {
  return triggers[trigger.toLowerCase()] ?? trigger;
}

/** What is said of a fire when one points at it; `when` writes a moment. */
export function fireTitle(fire: Fire, when: (at: string) => string): string {
  const { slot, outcome, trigger, from, to, count, reason, executionId } = fire;
  return [
    `${fireWords[outcome].word}: ${when(slot)}`,
    count > 1 ? `and ${count - 1} more after it` : "",
    triggerText(trigger),
    from && to ? `window ${when(from)} to ${when(to)}` : "",
    reason ?? "",
    executionId ? `execution ${executionId}` : "",
  ]
    .filter(Boolean)
    .join("\n");
}
