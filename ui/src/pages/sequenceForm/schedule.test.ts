import { describe, expect, it } from "vitest";
import { calendarsExample, calendarsFault } from "./calendars";
import { durationOf, readSchedule, scheduleFaults, secondsOf, writeSchedule, type ScheduleForm } from "./schedule";

const form = (part: Partial<ScheduleForm> = {}): ScheduleForm => ({ ...readSchedule({}), ...part });
const cron = (text: string) => scheduleFaults(form({ kind: "cron", cron: text })).cron;

describe("a schedule in the form", () => {
  it.each([
    { frequency: "WEEKLY", weekStart: "MONDAY", zone: "Europe/Berlin" },
    { frequency: "ONETIME", startDate: "2026-09-25", endDate: "2026-09-30" },
    { cron: "0 0 8 ? * MON-FRI", dst: "LATER", misfire: "NONE", overlap: "CANCEL", recurs: false },
    { every: "PT15M", anchor: "2026-01-01T00:05:00Z", until: "2027-01-01T00:00:00Z" },
    { frequency: "DAILY", catchUpLimit: 30, misfire: "ALL", calendars: JSON.parse(calendarsExample) as unknown },
  ])("is written as it was read: %j", (json) => {
    expect(writeSchedule(readSchedule(json))).toEqual(json);
    expect(scheduleFaults(readSchedule(json))).toEqual({});
  });

  it("sends nothing of the kinds that are not chosen", () => {
    const both = form({ kind: "cron", cron: "0 0 8 ? * *", startDate: "2026-01-01", anchor: "2026-01-01T00:00:00Z" });
    expect(writeSchedule(both)).toEqual({ cron: "0 0 8 ? * *" });
    expect(writeSchedule({ ...both, kind: "every", amount: "90", unit: "minutes" })).toEqual({
      every: "PT90M",
      anchor: "2026-01-01T00:00:00Z",
    });
    expect(writeSchedule(form({ frequency: "DAILY", weekStart: "MONDAY" }))).toEqual({ frequency: "DAILY" });
  });

  it("reads durations and writes them", () => {
    expect(secondsOf("PT15M")).toBe(900);
    expect(secondsOf("P1DT2H3M4S")).toBe(93_784);
    expect(secondsOf("P")).toBeNull();
    expect(secondsOf("15 minutes")).toBeNull();
    expect(durationOf("2", "days")).toBe("PT48H");
    expect(durationOf("61", "seconds")).toBe("PT61S");
    expect(readSchedule({ every: "PT48H" })).toMatchObject({ amount: "2", unit: "days" });
    expect(readSchedule({ every: "PT90M" })).toMatchObject({ amount: "90", unit: "minutes" });
  });
});

describe("what is wrong with a schedule", () => {
  it("is a mandatory date that is missing", () => {
    expect(Object.keys(scheduleFaults(form({ frequency: "ONETIME" })))).toEqual(["startDate", "endDate"]);
    expect(Object.keys(scheduleFaults(form({ frequency: "TRI_WEEKLY_SPRINT" })))).toEqual(["startDate"]);
    expect(scheduleFaults(form({ frequency: "MONTHLY" }))).toEqual({});
  });

  it("is an end before its start", () => {
    expect(scheduleFaults(form({ startDate: "2026-09-25", endDate: "2026-09-24" })).endDate).toMatch(/before/);
    expect(scheduleFaults(form({ startDate: "2026-09-25", endDate: "2026-09-25" }))).toEqual({});
  });

  it("is a cron of too few fields, or without exactly one question mark", () => {
    expect(cron("0 8 * * *")).toMatch(/this has 5/);
    expect(cron("")).toMatch(/this has 0/);
    expect(cron("0 0 8 * * *")).toMatch(/exactly one/);
    expect(cron("0 0 8 ? * ?")).toMatch(/exactly one/);
    expect(cron("0 0 8 ? * MON-FRI 2026")).toBeUndefined();
    expect(cron("  0 0 8 1  * ? ")).toBeUndefined();
  });

  it("is a number, a zone or a time that is none", () => {
    for (const amount of ["", "0", "-1", "1.5", "x"]) expect(scheduleFaults(form({ kind: "every", amount })).amount).toBeTruthy();
    for (const catchUpLimit of ["0", "1001", "a", "1.5"]) expect(scheduleFaults(form({ catchUpLimit })).catchUpLimit).toBeTruthy();
    expect(scheduleFaults(form({ catchUpLimit: "1000" }))).toEqual({});
    expect(scheduleFaults(form({ zone: "Berlin" })).zone).toMatch(/Europe\/Berlin/);
    expect(scheduleFaults(form({ until: "0002-01-01T00:00" })).until).toBeTruthy();
  });

  it("is nothing that belongs to a kind which is not chosen", () => {
    expect(scheduleFaults(form({ frequency: "DAILY", cron: "x", amount: "x", anchor: "x" }))).toEqual({});
    expect(scheduleFaults(form({ kind: "cron", cron: "0 0 8 ? * *", frequency: "ONETIME" }))).toEqual({});
  });
});

describe("calendars", () => {
  it.each([
    ["{}", /Expected a list/],
    ["[", /Invalid JSON/],
    ["[1]", /Calendar 1: expected an object/],
    ['[{"holidays": []}]', /Calendar 1: 'name'/],
    ['[{"name": "x", "days": []}]', /'days', expected some of name, holidays, blackouts/],
    ['[{"name": "x", "holidays": 1}]', /'holidays' is missing or invalid, expected a list/],
    ['[{"name": "x", "holidays": [{"name": "y", "date": "2026-02-30"}]}]', /Calendar 1, holiday 1: 'date'/],
    ['[{"name": "x", "holidays": [{"name": "y", "date": "2026-02-28", "yearly": "yes"}]}]', /'yearly'/],
    ['[{"name": "x", "blackouts": [{"name": "y", "from": "2026-05-01T20:00:00Z"}]}]', /blackout 1: 'to'/],
    ['[{"name": "x", "blackouts": [{"name": "y", "from": "2026-05-02T20:00:00Z", "to": "2026-05-01T20:00:00Z"}]}]', /not after/],
  ])("%s is rejected with the place", (text, fault) => {
    expect(calendarsFault(text)).toMatch(fault);
  });

  it("may be many, or none", () => {
    expect(calendarsFault("[]")).toBeNull();
    expect(calendarsFault(calendarsExample)).toBeNull();
    const one = { name: "x" };
    expect(calendarsFault(JSON.stringify(Array.from({ length: 20 }, () => one)))).toBeNull();
    expect(calendarsFault(JSON.stringify(Array.from({ length: 21 }, () => one)))).toMatch(/at most 20/);
    expect(writeSchedule(form({ calendars: "[]" }))).toEqual({ frequency: "DAILY" });
  });
});
