import type { AuditEntry } from "../api/schema";

/** Actions on a workflow after which it is what it was. */
const harmless = /^(pause|resume|backfill)|^runSequence$/;

/** Who has last changed what has this name; null when nobody has, as at a start by a file or code. */
export function whoChanged(
  newestFirst: readonly Pick<AuditEntry, "actor" | "action" | "target">[],
  name: string,
): string | null {
  return newestFirst.find(({ action, target }) => target === name && !harmless.test(action))?.actor ?? null;
}
