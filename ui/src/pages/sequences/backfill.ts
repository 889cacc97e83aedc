import type { Backfill } from "../../api/schema";

export type BackfillSlot = Backfill["slots"][number];

/** What is wrong with the ends of a backfill, as instants or null for what is no time; null when nothing is. */
export function backfillFault(from: string | null, to: string | null, now: number): string | null {
  if (!from || !to) return null;
  if (Date.parse(to) > now) return "The end is in the future. A backfill runs what is past.";
  return Date.parse(from) < Date.parse(to) ? null : "The end is not after the begin.";
}

/** How many of the slots would run. */
export function toRun(slots: readonly BackfillSlot[]): number {
  return slots.filter(({ outcome }) => outcome === "toRun").length;
}

export const backfillWords: Record<BackfillSlot["outcome"], string> = {
  toRun: "to run",
  hasRun: "has run",
  excluded: "excluded",
};
