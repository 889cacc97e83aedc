import { describe, expect, it } from "vitest";
import type { Maintenance, RecyclePolicy } from "../../api/schema";
import { entriesOf, maintenanceEntries, momentAt, recycleEntries } from "./entries";

const iso = (at: number) => new Date(at).toISOString().slice(0, 16);
const at = (text: string) => Date.parse(text);

describe("the time of a day in a zone", () => {
  it.each([
    ["2026-11-22", "04:30", "Europe/Berlin", "2026-11-22T03:30"],
    ["2026-07-22", "04:30", "Europe/Berlin", "2026-07-22T02:30"],
    ["2026-03-29", "02:30", "Europe/Berlin", "2026-03-29T01:30"], // skipped: 03:30 in summer
    ["2026-10-25", "02:30", "Europe/Berlin", "2026-10-25T00:30"], // twice: the first
    ["2026-04-05", "01:45", "Australia/Lord_Howe", "2026-04-04T14:45"],
    ["2026-11-22", "00:00", "UTC", "2026-11-22T00:00"],
  ])("%s %s in %s", (day, time, zone, expected) => {
    expect(iso(momentAt(day, time, zone))).toBe(expected);
  });
});

const policy: RecyclePolicy = {
  ...{ enabled: true, at: "23:30", zone: "Europe/Berlin", windowSeconds: 3_600, maxAgeSeconds: null, memoryPercent: null },
  ...{ changed: null, nextUtc: "2026-11-23T22:30:00Z", nextLocal: null },
};

describe("windows in which nodes recycle", () => {
  const within = (some: Partial<RecyclePolicy>) =>
    recycleEntries({ ...policy, ...some }, at("2026-11-22T00:00:00Z"), at("2026-11-26T00:00:00Z"), at("2026-11-22T12:00:00Z"));

  it("are on each day, starting with the next window", () => {
    expect(within({}).map(({ from, until }) => `${iso(from)} ${iso(until)}`)).toEqual([
      "2026-11-23T22:30 2026-11-23T23:30",
      "2026-11-24T22:30 2026-11-24T23:30",
      "2026-11-25T22:30 2026-11-25T23:30",
    ]);
  });

  it("are none without a policy, and touch both days over midnight", () => {
    expect(within({ enabled: false })).toEqual([]);
    expect(within({ at: null })).toEqual([]);
    expect(recycleEntries(undefined, 0, 1, 0)).toEqual([]);
    const all = within({});
    const days = ["2026-11-23", "2026-11-24", "2026-11-26"].map((day) => entriesOf(all, day, "Europe/Berlin").length);
    expect(days).toEqual([1, 2, 1]);
  });
});

it("lists maintenances that touch a time, but no cancelled ones", () => {
  const plan = (from: string, until: string) => ({ title: from, from, until });
  const all = [
    { id: 1, stage: "scheduled", plan: plan("2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z") },
    { id: 2, stage: "completed", plan: plan("2026-11-20T10:00:00Z", "2026-11-22T00:00:00Z") },
    { id: 3, stage: "cancelled", plan: plan("2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z") },
    { id: 4, stage: "scheduled", plan: plan("2026-11-23T00:00:00Z", "2026-11-23T11:00:00Z") },
  ] as Maintenance[];
  const found = maintenanceEntries(all, at("2026-11-22T00:00:00Z"), at("2026-11-23T00:00:00Z"));
  expect(found.map(({ key }) => key)).toEqual(["maintenance 1"]);
});
