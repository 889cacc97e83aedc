import type { ScheduleJson } from "../../api/sequences";
import { isZone } from "../../components/zoned";
import { calendarsFault } from "./calendars";

export const frequencies = [
  ["DAILY", "daily"],
  ["WEEKLY", "weekly"],
  ["BI_WEEKLY_SPRINT", "every two weeks from a start date"],
  ["TRI_WEEKLY_SPRINT", "every three weeks from a start date"],
  ["MONTHLY", "monthly"],
  ["QUARTERLY", "quarterly"],
  ["YEARLY", "yearly"],
  ["ONETIME", "once, over a range of days"],
] as const;

export const weekDays = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"] as const;

export const dstPolicies = [
  ["EARLIER", "a skipped time fires after the gap; a repeated time fires the first time"],
  ["LATER", "a skipped time fires after the gap; a repeated time fires the second time"],
  ["BOTH", "a skipped time fires after the gap; a repeated time fires both times"],
  ["SKIP", "a skipped time does not fire; a repeated time fires the first time"],
] as const;

export const misfirePolicies = [
  ["LATEST", "the latest runs, older ones are missed"],
  ["NONE", "none runs, all are missed"],
  ["ALL", "each runs, the oldest first"],
] as const;

export const overlapPolicies = [
  ["BUFFER_ONE", "the latest runs afterwards"],
  ["BUFFER_ALL", "each runs afterwards"],
  ["SKIP", "it is skipped"],
  ["CANCEL", "the running execution is cancelled"],
  ["ALLOW", "it runs in parallel"],
] as const;

const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };
export type Unit = keyof typeof units;

/** A schedule as typed into the form; an empty field has the server's default. */
export interface ScheduleForm {
  kind: "frequency" | "cron" | "every";
  frequency: string;
  startDate: string;
  endDate: string;
  cron: string;
  dst: string;
  amount: string;
  unit: Unit;
  anchor: string;
  zone: string;
  weekStart: string;
  misfire: string;
  overlap: string;
  catchUpLimit: string;
  until: string;
  recurs: boolean;
  /** JSON text of a list. */
  calendars: string;
}

export type ScheduleField = keyof ScheduleForm;

const defaults = { dst: "EARLIER", misfire: "LATEST", overlap: "BUFFER_ONE", weekStart: "SUNDAY", zone: "UTC" };

/** Returns the whole seconds of a duration such as PT1H30M; null for other text. */
export function secondsOf(duration: string): number | null {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(duration);
  if (!match || !/\d/.test(duration)) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return days * units.days + hours * units.hours + minutes * units.minutes + seconds;
}

export function durationOf(amount: string, unit: Unit): string {
  const seconds = Number(amount) * units[unit];
  return seconds % 3_600 === 0 ? `PT${seconds / 3_600}H` : seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`;
}

function amountOf(every: string): Pick<ScheduleForm, "amount" | "unit"> {
  const seconds = secondsOf(every) ?? 3_600;
  const unit = (["days", "hours", "minutes"] as const).find((one) => seconds % units[one] === 0) ?? "seconds";
  return { amount: String(seconds / units[unit]), unit };
}

/** Returns the form of a schedule from the server. */
export function readSchedule(json: ScheduleJson): ScheduleForm {
  const text = (key: string, otherwise = "") => (typeof json[key] === "string" ? json[key] : otherwise);
  return {
    kind: json.cron ? "cron" : json.every ? "every" : "frequency",
    frequency: text("frequency", "DAILY").toUpperCase(),
    startDate: text("startDate"),
    endDate: text("endDate"),
    cron: text("cron"),
    dst: text("dst", defaults.dst).toUpperCase(),
    ...amountOf(text("every")),
    anchor: text("anchor"),
    zone: text("zone", defaults.zone),
    weekStart: text("weekStart", defaults.weekStart).toUpperCase(),
    misfire: text("misfire", defaults.misfire).toUpperCase(),
    overlap: text("overlap", defaults.overlap).toUpperCase(),
    catchUpLimit: json.catchUpLimit === undefined ? "" : String(json.catchUpLimit),
    until: text("until"),
    recurs: json.recurs !== false,
    calendars: json.calendars === undefined ? "" : JSON.stringify(json.calendars, null, 2),
  };
}

/** Returns the schedule to send, without fields of other kinds and without defaults. */
export function writeSchedule(form: ScheduleForm): ScheduleJson {
  const { kind } = form;
  const unless = (value: string, standard = "") => (value.trim() === standard ? undefined : value.trim());
  const byKind: Record<ScheduleForm["kind"], ScheduleJson> = {
    frequency: {
      frequency: form.frequency,
      startDate: unless(form.startDate),
      endDate: unless(form.endDate),
      weekStart: form.frequency === "WEEKLY" ? unless(form.weekStart, defaults.weekStart) : undefined,
    },
    cron: { cron: form.cron.trim(), dst: unless(form.dst, defaults.dst) },
    every: { every: durationOf(form.amount, form.unit), anchor: unless(form.anchor) },
  };
  const all: ScheduleJson = {
    ...byKind[kind],
    recurs: form.recurs ? undefined : false,
    zone: unless(form.zone, defaults.zone),
    misfire: unless(form.misfire, defaults.misfire),
    overlap: unless(form.overlap, defaults.overlap),
    catchUpLimit: form.catchUpLimit.trim() ? Number(form.catchUpLimit) : undefined,
    until: unless(form.until),
    calendars: calendarsOf(form.calendars),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function calendarsOf(text: string): unknown {
  if (!text.trim() || calendarsFault(text)) return undefined;
  const list = JSON.parse(text) as unknown[];
  return list.length ? list : undefined;
}

/** Returns true if a policy for missed or overlapping slots is not the default. */
export function hasPolicy({ misfire, overlap, catchUpLimit, recurs }: ScheduleForm): boolean {
  return misfire !== defaults.misfire || overlap !== defaults.overlap || catchUpLimit !== "" || !recurs;
}

export function needsStart({ kind, frequency }: ScheduleForm): boolean {
  return kind === "frequency" && (frequency === "ONETIME" || frequency.endsWith("_SPRINT"));
}

export function needsEnd({ kind, frequency }: ScheduleForm): boolean {
  return kind === "frequency" && frequency === "ONETIME";
}

/** Returns the faults of the fields of a schedule; the server checks the rest. */
export function scheduleFaults(form: ScheduleForm): Partial<Record<ScheduleField, string>> {
  const all: Partial<Record<ScheduleField, string | null>> = {
    startDate: form.kind === "frequency" ? dateFault(form.startDate, needsStart(form)) : null,
    endDate:
      form.kind === "frequency"
        ? (dateFault(form.endDate, needsEnd(form)) ??
          (form.startDate && form.endDate && form.endDate < form.startDate ? "The end is before the start." : null))
        : null,
    cron: form.kind === "cron" ? cronFault(form.cron) : null,
    amount: form.kind === "every" && !/^[1-9]\d{0,8}$/.test(form.amount.trim()) ? "Expected a whole number from 1." : null,
    anchor: form.kind === "every" ? momentFault(form.anchor) : null,
    zone: isZone(form.zone.trim()) ? null : "Unknown time zone. Expected UTC or a zone such as Europe/Berlin.",
    catchUpLimit: limitFault(form.catchUpLimit),
    until: momentFault(form.until),
    calendars: form.calendars.trim() ? calendarsFault(form.calendars) : null,
  };
  return Object.fromEntries(Object.entries(all).filter(([, fault]) => fault)) as Partial<Record<ScheduleField, string>>;
}

function dateFault(date: string, needed: boolean): string | null {
  if (!date) return needed ? "Enter a date." : null;
  return date >= "1900-01-01" && date <= "9999-12-31" ? null : "Must be a date in the years 1900 to 9999.";
}

function momentFault(moment: string): string | null {
  return !moment || /^\d{4}-.*Z$/.test(moment) ? null : "Must be a time: YYYY-MM-DD hh:mm.";
}

function limitFault(limit: string): string | null {
  if (!limit.trim()) return null;
  const number = Number(limit);
  return Number.isInteger(number) && number >= 1 && number <= 1_000 ? null : "Expected a whole number from 1 to 1,000.";
}

function cronFault(cron: string): string | null {
  const fields = cron.trim().split(/\s+/).filter(Boolean);
  if (fields.length !== 6 && fields.length !== 7) {
    return `Expected 6 or 7 fields, this has ${fields.length}: seconds, minutes, hours, day of month, month, day of week, and a year if need be.`;
  }
  return (fields[3] === "?") === (fields[5] === "?")
    ? "Expected ? in exactly one of day of month (the fourth field) and day of week (the sixth)."
    : null;
}
