import type { HistoryEntry } from "../../api/schema";

/** Number of entries loaded at first, and each time the user goes back. */
export const newest = 1_000;

/** Upper limit of the entries in memory while an open page follows a running instance. */
const most = 20_000;

/** Returns the entries with the ones that follow them; the same list if nothing follows. */
export function joined(before: readonly HistoryEntry[], after: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const last = before.at(-1)?.seq ?? 0;
  const fresh = after.filter(({ seq }) => seq > last);
  return fresh.length ? [...before, ...fresh].slice(-most) : before;
}

/** Returns the number of the entry that last changed each variable. */
export function lastChanges(entries: readonly Pick<HistoryEntry, "seq" | "changes">[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { seq, changes } of entries) {
    for (const { name } of changes ?? []) last.set(name, seq);
  }
  return last;
}
