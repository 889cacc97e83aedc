import type { SequenceSlot } from "../api/schema";

export type SlotOutcome = SequenceSlot["outcome"];

/** Returns a key that is unique among the slots of a sequence: a slot may have run several times. */
export const slotKey = ({ at, executionId, recorded }: SequenceSlot) => `${at} ${executionId ?? ""} ${recorded ?? ""}`;

/** The outcomes of a slot, each as a word and as a sentence. */
export const outcomeWords: Record<SlotOutcome, { word: string; meaning: string }> = {
  completed: { word: "Completed", meaning: "All its tasks have succeeded." },
  running: { word: "Running", meaning: "Its execution has not ended." },
  aborted: { word: "Aborted", meaning: "Its execution failed permanently or was cancelled." },
  skipped: { word: "Skipped", meaning: "A policy or a calendar skipped it." },
  missed: { word: "Missed", meaning: "It did not run in time." },
  planned: { word: "Planned", meaning: "It is due in the future." },
  excluded: { word: "Excluded", meaning: "A calendar excludes it." },
};

/** "20 slots: 17 completed, 2 skipped, 1 running"; one entry may stand for several slots. */
export function slotsText(slots: readonly Pick<SequenceSlot, "outcome" | "count">[]): string {
  if (slots.length === 0) return "No slots yet";
  const counts = new Map<SlotOutcome, number>();
  for (const { outcome, count } of slots) counts.set(outcome, (counts.get(outcome) ?? 0) + Math.max(1, count));
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...counts].map(([outcome, count]) => `${count} ${outcomeWords[outcome].word.toLowerCase()}`);
  return `${all === 1 ? "1 slot" : `${all} slots`}: ${parts.join(", ")}`;
}

const causes: Record<string, string> = {
  schedule: "schedule",
  manual: "manual run",
  request: "requested run",
  restart: "restart",
  backfill: "backfill",
};

export function causeText(cause: string): string {
  return causes[cause.toLowerCase()] ?? cause;
}

/** Returns the tooltip of a slot; `when` formats a moment. */
export function slotTitle(slot: SequenceSlot, when: (at: string) => string): string {
  const { at, outcome, cause, from, to, count, reason, executionId } = slot;
  return [
    `${outcomeWords[outcome].word}: ${when(at)}`,
    count > 1 ? `and ${count - 1} more after it` : "",
    `cause: ${causeText(cause)}`,
    from && to ? `window ${when(from)} to ${when(to)}` : "",
    reason ?? "",
    executionId ? `execution ${executionId}` : "",
  ]
    .filter(Boolean)
    .join("\n");
}
