import { timeOf, wallOf } from "./days";

export interface Bar {
  /** Local times of the start and the end of the hour, "08:00". */
  from: string;
  to: string;
  count: number;
  /** Share of the largest count, 0 to 1. */
  part: number;
}

const hour = 3_600_000;

/** Returns the hours of the load, starting with the current hour. */
export function barsOf(load: readonly number[], now: number, zone: string): Bar[] {
  const first = now - (wallOf(now, zone) % hour);
  const most = Math.max(1, ...load);
  return load.map((count, index) => ({
    from: timeOf(first + index * hour, zone),
    to: timeOf(first + (index + 1) * hour, zone),
    count,
    part: count / most,
  }));
}

const slots = (count: number) => (count === 1 ? "1 slot" : `${count} slots`);

export function barText({ from, to, count }: Bar): string {
  return `${from} to ${to}: ${count === 0 ? "no slot" : slots(count)}`;
}

/** Returns a summary: "33 slots planned, most of them from 12:00 to 13:00: 9." */
export function loadText(bars: readonly Bar[]): string {
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return "Nothing is planned.";
  const most = bars.reduce((best, bar) => (bar.count > best.count ? bar : best));
  if (most.count === total) return `${slots(total)} planned, from ${most.from} to ${most.to}.`;
  return `${slots(total)} planned, most of them from ${most.from} to ${most.to}: ${most.count}.`;
}
