import { describe, expect, it } from "vitest";
import { absoluteText, durationText, momentOf, relativeText } from "./time";

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
    [3 * minute, "3 min"],
    [3 * minute + 5 * second, "3 min 5 s"],
    [2 * hour + 5 * second, "2 h"],
    [2 * day + 4 * hour + 9 * minute, "2 d 4 h"],
    [400 * day, "1 y 1 mo"],
  ])("%d ms is %s", (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });
});

describe("a moment relative to now", () => {
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

describe("a typed moment", () => {
  it("is one of the chosen zone", () => {
    expect(momentOf("2026-01-02", "utc")).toBe(Date.UTC(2026, 0, 2));
    expect(momentOf("2026-01-02T03:04", "utc")).toBe(Date.UTC(2026, 0, 2, 3, 4));
    expect(momentOf("2026-07-02", "local")).toBe(new Date(2026, 6, 2).getTime());
    expect(momentOf("2026-07-02 03:04:05", "local")).toBe(new Date(2026, 6, 2, 3, 4, 5).getTime());
  });

  it("may be the end of its day, across the end of a month", () => {
    expect(momentOf("2026-02-28", "utc", 1)).toBe(Date.UTC(2026, 2, 1));
    expect(momentOf("2026-12-31", "local", 1)).toBe(new Date(2027, 0, 1).getTime());
  });

  it("keeps a zone of its own, and says when it is none", () => {
    expect(momentOf("2026-01-02T03:04:00+02:00", "local")).toBe(Date.UTC(2026, 0, 2, 1, 4));
    expect(momentOf("2026-13-02", "utc")).toBeNaN();
    expect(momentOf("soon", "utc")).toBeNaN();
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
