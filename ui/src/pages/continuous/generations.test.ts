import { describe, expect, it } from "vitest";
import type { ContinuousLogEntry } from "../../api/schema";
import { stretches, toneOf } from "./generations";

const hour = 3_600_000;
const entry = (hours: number, type: ContinuousLogEntry["type"], generation: number, reason: string): ContinuousLogEntry => ({
  id: hours,
  at: new Date(hours * hour).toISOString(),
  type,
  reason,
  executorId: 3,
  series: 1,
  generation,
  epoch: 1,
  detail: null,
});

describe("the bar of generations", () => {
  const newestFirst = [
    entry(6, "started", 3, "FAILOVER"),
    entry(5, "lost", 2, "FAILOVER"),
    entry(2, "continued", 2, "HOURLY"),
    entry(1, "started", 1, "DEPLOY"),
    entry(1, "enabled", 0, "DEPLOY"),
  ];
  const shown = (log: ContinuousLogEntry[], from: number, now: number) =>
    stretches(log, from * hour, now * hour).map((one) => [one.from / hour, one.to / hour, one.generation, toneOf(one)]);

  it("shows runs by the reason of their start, and the gaps between them", () => {
    expect(shown(newestFirst, 0, 8)).toEqual([
      [1, 2, 1, "begun"],
      [2, 5, 2, "continued"],
      [5, 6, null, "down"],
      [6, 8, 3, "crashed"],
    ]);
  });

  it("cuts off what was before its time", () => {
    expect(shown(newestFirst, 5.5, 8)).toEqual([
      [5.5, 6, null, "down"],
      [6, 8, 3, "crashed"],
    ]);
  });

  it("counts no gap while it is disabled, and starts again when it is enabled", () => {
    const off = [
      entry(9, "started", 1, "MANUAL"),
      entry(9, "enabled", 0, "MANUAL"),
      entry(7, "released", 3, "HAND_OVER"),
      entry(6.5, "disabled", 3, "MANUAL"),
      ...newestFirst,
    ];
    expect(shown(off, 6, 10)).toEqual([
      [6, 7, 3, "crashed"],
      [9, 10, 1, "begun"],
    ]);
  });

  it("ends a gap when it is disabled within it", () => {
    const failed = [entry(8, "disabled", 3, "MANUAL"), entry(7, "failed", 3, "RESTART"), ...newestFirst];
    expect(shown(failed, 6.5, 10)).toEqual([
      [6.5, 7, 3, "crashed"],
      [7, 8, null, "down"],
    ]);
  });

  it.each([
    ["RECYCLE", "recycled"],
    ["HAND_OVER", "handed"],
    ["RESTART", "crashed"],
    ["MEMORY", "continued"],
    ["something new", "begun"],
  ])("colors %s as %s", (reason, tone) => {
    expect(toneOf({ generation: 1, reason })).toBe(tone);
  });
});
