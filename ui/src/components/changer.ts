import type { AuditEntry } from "../api/schema";

/** Actions on a sequence that do not change the sequence itself. */
const harmless = /^(pause|resume|backfill)|^runSequence$/;

/** Returns the user who last changed the named object; null if no user has, for example if a file or code did. */
export function whoChanged(
  newestFirst: readonly Pick<AuditEntry, "actor" | "action" | "target">[],
  name: string,
): string | null {
  return newestFirst.find(({ action, target }) => target === name && !harmless.test(action))?.actor ?? null;
}
