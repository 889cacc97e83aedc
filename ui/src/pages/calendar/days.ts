/** A day of a calendar, "2026-11-22"; days sort as text. */
export type Day = string;

const hour = 3_600_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

function clock(zone: string): Intl.DateTimeFormat {
  let made = clocks.get(zone);
  if (!made) {
    made = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      ...{ year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" },
    });
    clocks.set(zone, made);
  }
  return made;
}

/** Returns the local time of a zone at a moment, as the moment with the same local time in UTC. */
export function wallOf(at: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of clock(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour: hours = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hours, minute, second) + (((at % 1_000) + 1_000) % 1_000);
}

export function dayOf(at: number, zone: string): Day {
  return new Date(wallOf(at, zone)).toISOString().slice(0, 10);
}

/** Formats the time of day to the minute, "08:05". */
export function timeOf(at: number, zone: string): string {
  return new Date(wallOf(at, zone)).toISOString().slice(11, 16);
}

const starts = new Map<string, number>();

/** Returns the first moment of a day in a zone; for a day that the zone skipped, that of the next day. */
export function startOf(day: Day, zone: string): number {
  const key = `${zone} ${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const middle = Date.parse(day);
  let low = middle - 16 * hour; // still the day before, in every zone
  let high = middle + 16 * hour;
  while (high - low > 60_000) {
    const at = low + Math.floor((high - low) / 120_000) * 60_000;
    if (dayOf(at, zone) < day) low = at;
    else high = at;
  }
  starts.set(key, high);
  return high;
}

export function plusDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * 24 * hour).toISOString().slice(0, 10);
}

/** Returns the same day of another month, or its last day if it is shorter. */
export function plusMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0));
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())))
    .toISOString()
    .slice(0, 10);
}

/** Returns the day of the week, 0 for Monday. */
export function weekdayOf(day: Day): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

function daysFrom(first: Day, count: number): Day[] {
  return Array.from({ length: count }, (_, index) => plusDays(first, index));
}

export function weekOf(day: Day): Day[] {
  return daysFrom(plusDays(day, -weekdayOf(day)), 7);
}

export function monthOf(day: Day): Day[] {
  const first = `${day.slice(0, 7)}-01`;
  return daysFrom(first, Number(plusDays(plusMonths(first, 1), -1).slice(8)));
}

/** Returns the whole weeks that contain the days of a month. */
export function weeksOfMonth(day: Day): Day[][] {
  const days = monthOf(day);
  const first = weekOf(days[0] ?? day)[0] ?? day;
  const count = Math.ceil((weekdayOf(days[0] ?? day) + days.length) / 7);
  return Array.from({ length: count }, (_, index) => daysFrom(plusDays(first, index * 7), 7));
}

/** Returns true if the text is a valid day. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && plusDays(text, 0) === text;
}

const monthName = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "long", year: "numeric" });
const weekday = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", weekday: "short" });

/** Formats a day with its weekday, "Sun 2026-11-22". */
export const longDay = (day: Day) => `${weekday.format(new Date(day))} ${day}`;
/** Formats a day without its month, "Sun 22". */
export const shortDay = (day: Day) => `${weekday.format(new Date(day))} ${Number(day.slice(8))}`;
/** Formats the month of a day, "November 2026". */
export const monthText = (day: Day) => monthName.format(new Date(day));
/** Formats the week of a day, "2026-11-16 to 2026-11-22". */
export function weekText(day: Day): string {
  const week = weekOf(day);
  return `${week[0] ?? day} to ${week[6] ?? day}`;
}
