import { describe, expect, it } from "vitest";
import { absoluteText, durationText, relativeText } from "./time";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe("a length of time", () => {
  it.each([
    [-5, "0 ms"],
    [0, "0 ms"],
    [850, "850 ms"],
    [1_000, "1.0 s"],
    [9_999, "9.9 s"],
    [42 * second, "42 s"],
    [3 * minute, "3 m"],
    [3 * minute + 5 * second, "3 m 5 s"],
    [2 * hour + 5 * second, "2 h"],
    [2 * day + 4 * hour + 9 * minute, "2 d 4 h"],
    [400 * day, "1 y 1 mo"],
  ])("%d ms is %s", (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });
});

describe("a moment beside now", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  it.each([
    [0, "just now"],
    [-1 * second, "in a moment"],
    [42 * second, "42 s ago"],
    [3 * minute, "3 min ago"],
    [-2 * hour, "in 2 h"],
    [30 * hour, "1 d ago"],
    [60 * day, "1 mo ago"],
    [800 * day, "2 y ago"],
  ])("%d ms before is %s", (before, text) => {
    expect(relativeText(now - before, now)).toBe(text);
  });
});

describe("a moment", () => {
  it("is written in UTC to the second or millisecond", () => {
    const at = Date.parse("2026-01-02T03:04:05.067Z");
    expect(absoluteText(at, "utc")).toBe("2026-01-02 03:04:05");
    expect(absoluteText(at, "utc", true)).toBe("2026-01-02 03:04:05.067");
  });

  it("is written in the zone of the browser, summer time included", () => {
    const winter = new Date(2026, 0, 15, 8, 30, 0).getTime();
    const summer = new Date(2026, 6, 15, 8, 30, 0).getTime();
    expect(absoluteText(winter, "local")).toBe("2026-01-15 08:30:00");
    expect(absoluteText(summer, "local")).toBe("2026-07-15 08:30:00");
  });

  it("that is none says so", () => {
    expect(absoluteText(Number.NaN, "utc")).toBe("not a time");
  });
});
