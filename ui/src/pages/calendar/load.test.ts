import { describe, expect, it } from "vitest";
import { barsOf, barText, loadText } from "./load";

const load = (counts: Record<number, number>) => Array.from({ length: 24 }, (_, index) => counts[index] ?? 0);

describe("the load of 24 hours", () => {
  it("starts with the current hour", () => {
    const bars = barsOf(load({ 0: 1, 2: 4, 23: 2 }), Date.parse("2026-11-22T04:45:10Z"), "Europe/Berlin");
    expect(bars).toHaveLength(24);
    expect(bars[0]).toEqual({ from: "05:00", to: "06:00", count: 1, part: 0.25 });
    expect(bars[23]).toMatchObject({ from: "04:00", to: "05:00", count: 2 });
    expect(loadText(bars)).toBe("7 slots planned, most of them from 07:00 to 08:00: 4.");
    expect(barText(bars[0]!)).toBe("05:00 to 06:00: 1 slot");
    expect(barText(bars[1]!)).toBe("06:00 to 07:00: no slot");
  });

  it("has whole hours in a zone that is half an hour off", () => {
    expect(barsOf(load({}), Date.parse("2026-11-22T04:45:10Z"), "Asia/Kolkata")[0]?.from).toBe("10:00");
  });

  it("skips the hour that clocks skip, and repeats the one that occurs twice", () => {
    const froms = (now: string) => barsOf(load({}), Date.parse(now), "Europe/Berlin").map(({ from }) => from).slice(0, 4);
    expect(froms("2026-03-29T00:10:00Z")).toEqual(["01:00", "03:00", "04:00", "05:00"]);
    expect(froms("2026-10-24T23:10:00Z")).toEqual(["01:00", "02:00", "02:00", "03:00"]);
  });

  it("says that nothing is planned, or that all of it is in one hour", () => {
    const now = Date.parse("2026-11-22T04:45:10Z");
    expect(loadText(barsOf(load({}), now, "UTC"))).toBe("Nothing is planned.");
    expect(loadText(barsOf(load({ 1: 1 }), now, "UTC"))).toBe("1 slot planned, from 05:00 to 06:00.");
  });
});
