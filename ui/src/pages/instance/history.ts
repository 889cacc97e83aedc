import type { Action } from "../../api/schema";

/** How many entries are read at first, and with each step back. */
export const newest = 1_000;

/** As many entries are kept when an instance goes on and on while somebody looks. */
const most = 20_000;

/** Entries with those that follow them; the same list when nothing follows. */
export function joined(before: readonly Action[], after: readonly Action[]): readonly Action[] {
  const last = before.at(-1)?.seq ?? 0;
  const fresh = after.filter(({ seq }) => seq > last);
  return fresh.length ? [...before, ...fresh].slice(-most) : before;
}

/** For every variable the number of the entry that changed it last. */
export function lastChanges(actions: readonly Pick<Action, "seq" | "changes">[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { seq, changes } of actions) {
    for (const { name } of changes ?? []) last.set(name, seq);
  }
  return last;
}
