import type { Maintenance, RecyclePolicy } from "../../api/schema";
import { dayOf, plusDays, startOf, wallOf, type Day } from "../calendar/days";

/** What falls on a stretch of time; moments are milliseconds since 1970. */
export interface Entry {
  key: string;
  title: string;
  from: number;
  until: number;
  /** Null for a window in which nodes begin anew by themselves. */
  maintenance: Maintenance | null;
}

const day = 86_400_000;

/**
 * The moment at which clocks of a zone show a time on a day. One that they leave out is as much later; of one that
 * comes twice, the first counts.
 */
export function momentAt(on: Day, time: string, zone: string): number {
  const wall = Date.parse(`${on}T${time.slice(0, 5)}:00Z`);
  const offset = (at: number) => wallOf(at, zone) - at;
  const before = wall - offset(wall - day);
  const after = wall - offset(wall + day);
  const fitting = [before, after].filter((at) => wallOf(at, zone) === wall);
  return fitting.length ? Math.min(...fitting) : before;
}

/** Maintenances that were not cancelled, as far as they touch a time. */
export function maintenanceEntries(all: readonly Maintenance[], begin: number, end: number): Entry[] {
  return all
    .filter(({ stage }) => stage !== "cancelled")
    .map((maintenance) => ({
      key: `maintenance ${maintenance.id}`,
      title: maintenance.plan.title,
      from: Date.parse(maintenance.plan.from),
      until: Date.parse(maintenance.plan.until),
      maintenance,
    }))
    .filter(({ from, until }) => from < end && until > begin);
}

/** The windows from now on in which nodes begin anew, as far as they touch a time. */
export function recycleEntries(policy: RecyclePolicy | undefined, begin: number, end: number, now: number): Entry[] {
  if (!policy?.enabled || !policy.at) return [];
  const { at, zone } = policy;
  const length = (policy.windowSeconds ?? 0) * 1_000;
  const first = policy.nextUtc ? Date.parse(policy.nextUtc) : now;
  const last = dayOf(end, zone ?? "UTC");
  const entries: Entry[] = [];
  for (let on = dayOf(begin - day, zone ?? "UTC"); on <= last; on = plusDays(on, 1)) {
    const from = momentAt(on, at, zone ?? "UTC");
    const until = from + Math.max(length, 1);
    if (from >= first && from < end && until > begin) {
      entries.push({ key: `recycle ${on}`, title: "Recycle", from, until, maintenance: null });
    }
  }
  return entries;
}

/** The entries of a day in a zone, in their order. */
export function entriesOf(entries: readonly Entry[], on: Day, zone: string): Entry[] {
  const begin = startOf(on, zone);
  const end = startOf(plusDays(on, 1), zone);
  return entries
    .filter(({ from, until }) => from < end && (until > begin || (from === until && from >= begin)))
    .toSorted((one, other) => one.from - other.from || one.key.localeCompare(other.key));
}
