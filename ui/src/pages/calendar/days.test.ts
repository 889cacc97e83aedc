import { describe, expect, it } from "vitest";
import { dayOf, isDay, monthOf, plusDays, plusMonths, startOf, timeOf, weekdayOf, weekOf, weeksOfMonth, weekText } from "./days";

const iso = (at: number) => new Date(at).toISOString();
const hours = (day: string, zone: string) => (startOf(plusDays(day, 1), zone) - startOf(day, zone)) / 3_600_000;

describe("the days of a zone", () => {
  it.each([
    ["2026-11-22", "UTC", "2026-11-22T00:00:00.000Z"],
    ["2026-11-22", "Europe/Berlin", "2026-11-21T23:00:00.000Z"],
    ["2026-07-01", "Europe/Berlin", "2026-06-30T22:00:00.000Z"],
    ["2026-11-22", "Asia/Kathmandu", "2026-11-21T18:15:00.000Z"],
    ["2026-11-22", "Pacific/Kiritimati", "2026-11-21T10:00:00.000Z"],
    ["2026-11-22", "Pacific/Pago_Pago", "2026-11-22T11:00:00.000Z"],
    // Clocks go forward at midnight, so the day starts at 01:00.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    // Clocks go back from midnight to 23:00, so the day before is longer.
    ["2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z"],
    // A day that the zone skipped.
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
  ])("%s in %s starts at %s", (day, zone, expected) => {
    expect(iso(startOf(day, zone))).toBe(expected);
  });

  it.each([
    ["2026-03-29", "Europe/Berlin", 23],
    ["2026-10-25", "Europe/Berlin", 25],
    ["2026-10-26", "Europe/Berlin", 24],
    ["2026-11-01", "America/New_York", 25],
    ["2026-10-04", "Australia/Lord_Howe", 23.5],
    ["2018-02-17", "America/Sao_Paulo", 25],
    ["2018-11-04", "America/Sao_Paulo", 23],
    ["2011-12-30", "Pacific/Apia", 0],
  ])("%s in %s has %d hours", (day, zone, expected) => {
    expect(hours(day, zone)).toBe(expected);
  });

  it("join without a gap through a year, in every zone", () => {
    for (const zone of Intl.supportedValuesOf("timeZone").filter((_, index) => index % 20 === 0)) {
      for (let day = "2026-01-01"; day < "2027-01-01"; day = plusDays(day, 13)) {
        const begin = startOf(day, zone);
        expect([dayOf(begin, zone), dayOf(begin - 1, zone)], `${day} ${zone}`).toEqual([day, plusDays(day, -1)]);
      }
    }
  });

  it("say what the clock shows, before and after a change", () => {
    const zone = "Europe/Berlin";
    expect(timeOf(Date.parse("2026-10-25T00:30:00Z"), zone)).toBe("02:30");
    expect(timeOf(Date.parse("2026-10-25T01:30:00Z"), zone)).toBe("02:30");
    expect(timeOf(Date.parse("2026-03-29T00:59:59Z"), zone)).toBe("01:59");
    expect(timeOf(Date.parse("2026-03-29T01:00:00Z"), zone)).toBe("03:00");
    expect(dayOf(Date.parse("2026-12-31T23:00:01Z"), zone)).toBe("2027-01-01");
  });
});

describe("weeks and months", () => {
  it("begin on Monday", () => {
    expect(weekdayOf("2026-11-23")).toBe(0);
    expect(weekOf("2026-11-22")).toEqual(weekOf("2026-11-16"));
    expect(weekOf("2026-11-22").at(0)).toBe("2026-11-16");
    expect(weekOf("2026-11-22").at(-1)).toBe("2026-11-22");
    expect(weekText("2026-11-22")).toBe("2026-11-16 to 2026-11-22");
  });

  it.each([
    ["2026-11-22", 30, 6, "2026-10-26"],
    ["2026-02-10", 28, 5, "2026-01-26"],
    ["2021-02-10", 28, 4, "2021-02-01"],
    ["2024-02-10", 29, 5, "2024-01-29"],
    ["2026-12-31", 31, 5, "2026-11-30"],
  ])("the month of %s has %d days in %d weeks from %s", (day, days, weeks, first) => {
    expect(monthOf(day)).toHaveLength(days);
    const all = weeksOfMonth(day);
    expect(all).toHaveLength(weeks);
    expect(all[0]?.[0]).toBe(first);
    expect(all.flat()).toEqual(expect.arrayContaining(monthOf(day)));
  });

  it("have the day of another month, or its last", () => {
    expect(plusMonths("2026-01-31", 1)).toBe("2026-02-28");
    expect(plusMonths("2026-01-15", -1)).toBe("2025-12-15");
    expect(plusMonths("2024-03-31", -1)).toBe("2024-02-29");
    expect(plusMonths("2026-12-05", 1)).toBe("2027-01-05");
  });

  it.each([
    ["2026-11-22", true],
    ["2026-02-29", false],
    ["2026-13-01", false],
    ["2026-1-1", false],
    ["today", false],
  ])("%s is a day: %s", (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });
});
