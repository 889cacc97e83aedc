import { timeOf, wallOf } from "./days";

export interface Bar {
  /** When the hour begins and ends on the clock, "08:00". */
  from: string;
  to: string;
  count: number;
  /** Beside the largest, 0 to 1. */
  part: number;
}

const hour = 3_600_000;

/** The hours that the numbers of the load stand for: the first is the one that runs now. */
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

const fires = (count: number) => (count === 1 ? "1 fire" : `${count} fires`);

export function barText({ from, to, count }: Bar): string {
  return `${from} to ${to}: ${count === 0 ? "no fire" : fires(count)}`;
}

/** "33 fires are planned, most of them from 12:00 to 13:00: 9." */
export function loadText(bars: readonly Bar[]): string {
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return "Nothing is planned.";
  const most = bars.reduce((best, bar) => (bar.count > best.count ? bar : best));
  if (most.count === total) return `${fires(total)} planned, from ${most.from} to ${most.to}.`;
  return `${fires(total)} planned, most of them from ${most.from} to ${most.to}: ${most.count}.`;
}
