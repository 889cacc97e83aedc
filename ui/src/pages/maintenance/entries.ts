import type { Maintenance, RecyclePolicy } from "../../api/schema";
import { dayOf, plusDays, startOf, wallOf, type Day } from "../calendar/days";

/** An entry of the calendar; moments are milliseconds since 1970. */
export interface Entry {
  key: string;
  title: string;
  from: number;
  until: number;
  /** Maintenance of the entry; null for a window in which nodes recycle automatically. */
  maintenance: Maintenance | null;
}

const day = 86_400_000;

/**
 * Returns the moment of a local time on a day in a zone. A time that clocks skip is moved by the length of the gap; of
 * a time that occurs twice, the first counts.
 */
export function momentAt(on: Day, time: string, zone: string): number {
  const wall = Date.parse(`${on}T${time.slice(0, 5)}:00Z`);
  const offset = (at: number) => wallOf(at, zone) - at;
  const before = wall - offset(wall - day);
  const after = wall - offset(wall + day);
  const fitting = [before, after].filter((at) => wallOf(at, zone) === wall);
  return fitting.length ? Math.min(...fitting) : before;
}

/** Returns the maintenances that overlap a period, without cancelled ones. */
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

/** Returns the future windows in which nodes recycle and that overlap a period. */
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

/** Returns the entries of a day in a zone, in order. */
export function entriesOf(entries: readonly Entry[], on: Day, zone: string): Entry[] {
  const begin = startOf(on, zone);
  const end = startOf(plusDays(on, 1), zone);
  return entries
    .filter(({ from, until }) => from < end && (until > begin || (from === until && from >= begin)))
    .toSorted((one, other) => one.from - other.from || one.key.localeCompare(other.key));
}
