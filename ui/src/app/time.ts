import { useSyncExternalStore } from "react";
import { serverNow } from "../api/client";
import { usePreference } from "./preferences";

export type Zone = "local" | "utc";

/** Returns the zone in which times are shown, the browser's or UTC, and its setter. */
export function useZone(): [Zone, (zone: Zone) => void] {
  return usePreference<Zone>("zone", "local");
}

const units: [string, number][] = [
  ["y", 31_556_952],
  ["mo", 2_629_746],
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
];

/** Formats a duration in at most two units: "850 ms", "42 s", "3 min 5 s", "2 d 4 h". */
export function durationText(milliseconds: number): string {
  const total = Math.max(0, milliseconds);
  if (total < 1_000) return `${Math.round(total)} ms`;
  if (total < 10_000) return `${(Math.floor(total / 100) / 10).toFixed(1)} s`;
  let rest = Math.floor(total / 1_000);
  const parts: string[] = [];
  for (const [short, seconds] of units) {
    const whole = Math.floor(rest / seconds);
    if (whole > 0) parts.push(`${whole} ${short}`);
    else if (parts.length) break;
    rest -= whole * seconds;
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

/** Formats a moment relative to now, in one unit: "just now", "3 min ago", "in 2 h". */
export function relativeText(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1_000);
  const size = Math.abs(seconds);
  if (size < 3) return seconds >= 0 ? "just now" : "in a moment";
  const [short = "s", length = 1] = units.find(([, unit]) => size >= unit) ?? [];
  const text = `${Math.floor(size / length)} ${short}`;
  return seconds >= 0 ? `${text} ago` : `in ${text}`;
}

const pad = (number: number, digits = 2) => String(number).padStart(digits, "0");

/** Formats a moment to the second (or millisecond), so that it sorts as text: "2026-11-21 16:05:09". */
export function absoluteText(at: number, zone: Zone, milliseconds = false): string {
  const local = new Date(at);
  if (Number.isNaN(local.getTime())) return "not a time";
  const shifted = zone === "utc" ? local : new Date(at - local.getTimezoneOffset() * 60_000);
  const date = `${shifted.getUTCFullYear()}-${pad(shifted.getUTCMonth() + 1)}-${pad(shifted.getUTCDate())}`;
  const time = `${pad(shifted.getUTCHours())}:${pad(shifted.getUTCMinutes())}:${pad(shifted.getUTCSeconds())}`;
  return `${date} ${time}${milliseconds ? `.${pad(shifted.getUTCMilliseconds(), 3)}` : ""}`;
}

/**
 * Parses a day ("2026-11-05"), with or without a time of day, in the zone, and adds `daysLater` days. A text with
 * a zone of its own keeps that zone. Returns NaN if the text is not a time.
 */
export function momentOf(text: string, zone: Zone, daysLater = 0): number {
  const plain = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (!plain || Number.isNaN(Date.parse(text))) return Date.parse(text);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = plain.slice(1).map((part) => Number(part ?? 0));
  return zone === "utc"
    ? Date.UTC(year, month - 1, day + daysLater, hour, minute, second)
    : new Date(year, month - 1, day + daysLater, hour, minute, second).getTime();
}

/** Returns the name of the zone, as written after a time. */
export function zoneName(zone: Zone): string {
  return zone === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const ticks = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;
let now = 0;

function subscribe(listener: () => void) {
  ticks.add(listener);
  if (!ticking) now = serverNow();
  ticking ??= setInterval(() => {
    now = serverNow();
    for (const tick of ticks) tick();
  }, 1_000);
  return () => {
    ticks.delete(listener);
    if (ticks.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

const still = () => () => undefined;

/** Returns the server's time in milliseconds, updated once a second if `live` is true. */
export function useNow(live = true): number {
  return useSyncExternalStore(live ? subscribe : still, () => (now ||= serverNow()));
}

/** Returns a text about the server's current time. Only a changed text renders again, so a long list costs little. */
export function useTold(text: (now: number) => string): string {
  return useSyncExternalStore(subscribe, () => text((now ||= serverNow())));
}
