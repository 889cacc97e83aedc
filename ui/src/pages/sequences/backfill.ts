import type { Backfill } from "../../api/schema";

export type BackfillSlot = Backfill["slots"][number];

/** Returns the error message of the period of a backfill; null if it is valid or an end is missing (null). */
export function backfillFault(from: string | null, to: string | null, now: number): string | null {
  if (!from || !to) return null;
  if (Date.parse(to) > now) return "The end is in the future. A backfill runs only past slots.";
  return Date.parse(from) < Date.parse(to) ? null : "The end is not after the start.";
}

/** Returns the number of slots that would run. */
export function toRun(slots: readonly BackfillSlot[]): number {
  return slots.filter(({ outcome }) => outcome === "toRun").length;
}

export const backfillWords: Record<BackfillSlot["outcome"], string> = {
  toRun: "to run",
  hasRun: "has run",
  excluded: "excluded",
};
