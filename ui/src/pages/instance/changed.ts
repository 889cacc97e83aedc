import type { Action } from "../../api/schema";

/** For every variable the number of the action that changed it last. */
export function lastChanges(actions: readonly Pick<Action, "seq" | "changes">[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { seq, changes } of actions) {
    for (const { name } of changes ?? []) last.set(name, seq);
  }
  return last;
}
