import { describe, expect, it } from "vitest";
import { isZone, zonedText, zones } from "./zoned";

describe("a moment on the clock of a zone", () => {
  it("is that of the zone, with its summer time", () => {
    expect(zonedText("2026-11-21T23:00:01Z", "Europe/Berlin")).toBe("Sun 2026-11-22 00:00:01");
    expect(zonedText("2026-06-21T22:00:01Z", "Europe/Berlin")).toBe("Mon 2026-06-22 00:00:01");
    expect(zonedText("2026-11-22T00:00:01Z", "America/New_York")).toBe("Sat 2026-11-21 19:00:01");
    expect(zonedText(0, "UTC")).toBe("Thu 1970-01-01 00:00:00");
  });

  it("leaves out what is not wanted", () => {
    expect(zonedText("2026-11-21T23:00:01Z", "UTC", { seconds: false })).toBe("Sat 2026-11-21 23:00");
    expect(zonedText("2026-11-21T23:00:01Z", "UTC", { weekday: false })).toBe("2026-11-21 23:00:01");
  });

  it("is in UTC, and says so, for a zone that the browser does not know", () => {
    expect(zonedText("2026-11-21T23:00:01Z", "Mars/Olympus")).toBe("Sat 2026-11-21 23:00:01 UTC");
    expect(isZone("Mars/Olympus")).toBe(false);
    expect(isZone("Z")).toBe(true);
  });

  it("is none for what is no time", () => {
    expect(zonedText("soon", "UTC")).toBe("not a time");
  });
});

it("lists UTC once, and first", () => {
  expect(zones()[0]).toBe("UTC");
  expect(zones().filter((zone) => zone === "UTC")).toHaveLength(1);
  expect(zones()).toContain("Europe/Berlin");
});
