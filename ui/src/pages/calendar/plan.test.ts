import { describe, expect, it } from "vitest";
import type { Calendar, SequenceSlot } from "../../api/schema";
import { weekOf } from "./days";
import { closedText, fewOf, hoursOf, marksOf, planOf, slotTime, tallyOf } from "./plan";

function slot(at: string, sequenceId = "a", outcome: SequenceSlot["outcome"] = "completed", count = 1): SequenceSlot {
  return { sequenceId, at, outcome, cause: "schedule", count };
}

function calendar(slots: SequenceSlot[], more: Partial<Calendar> = {}): Calendar {
  return { now: "2026-10-25T12:00:00Z", slots, clockChanges: [], closed: [], load: [], truncated: false, ...more };
}

const zone = "Europe/Berlin";

describe("slots by day", () => {
  const late = slot("2026-10-24T22:30:00Z"); // 00:30 of the 25th in Berlin, the 24th in UTC
  const slots = [slot("2026-10-25T23:30:00Z"), late, slot("2026-10-25T22:30:00Z")];

  it("belong to the day of their planned time in the viewer's zone", () => {
    const timesOf = (where: string, day: string) =>
      planOf([day], calendar(slots), where)[0]?.slots.map(({ at }) => at.slice(5, 16));
    expect(timesOf(zone, "2026-10-25")).toEqual(["10-24T22:30", "10-25T22:30"]);
    expect(timesOf("UTC", "2026-10-25")).toEqual(["10-25T22:30", "10-25T23:30"]);
    expect(timesOf("UTC", "2026-10-24")).toEqual(["10-24T22:30"]);
  });

  it("are each on exactly one day of a week with a change of the clock", () => {
    const every = Array.from({ length: 200 }, (_, hour) =>
      slot(new Date(Date.parse("2026-10-18T00:00:00Z") + hour * 3_600_000).toISOString()),
    );
    const days = planOf(weekOf("2026-10-25"), calendar(every), zone);
    expect(days.map((day) => day.slots.length)).toEqual([24, 24, 24, 24, 24, 24, 25]);
  });

  it("come with the sentences of changes of the clock, and with the viewer's own", () => {
    const change = { at: "2026-10-25T01:00:00Z", zone, sentence: "Clocks go back." };
    const on = (day: string, where: string, clockChanges = [change]) =>
      planOf([day], calendar([], { clockChanges }), where)[0]?.changes;
    expect(on("2026-10-25", zone)).toEqual([`${zone}: Clocks go back.`]);
    expect(on("2026-10-25", "UTC")).toEqual([`${zone}: Clocks go back.`]);
    expect(on("2026-10-24", "America/New_York")).toEqual([`${zone}: Clocks go back.`]);
    expect(on("2026-10-25", "America/New_York")).toEqual([]);
    expect(on("2026-10-25", zone, [])).toEqual(["Europe/Berlin: The clocks change; this day has 25 hours."]);
    expect(on("2026-10-25", "Europe/Paris")).toEqual([
      "Europe/Berlin: Clocks go back.",
      "Europe/Paris: The clocks change; this day has 25 hours.",
    ]);
  });

  it("lie within what is closed, whose end is not part of it", () => {
    const closed = [{ from: "2026-11-20T23:00:00Z", to: "2026-11-22T23:00:00Z", name: "Freeze", sequences: ["a"] }];
    const shut = planOf(weekOf("2026-11-22"), calendar([], { closed }), zone).map((day) => day.closed.length);
    expect(shut).toEqual([0, 0, 0, 0, 0, 1, 1]);
    expect(planOf(["2026-11-23"], calendar([], { closed }), zone)[0]?.closed).toEqual([]);
  });
});

describe("what is closed", () => {
  it("names the sequences that it excludes, up to a limit", () => {
    const time = { from: "2026-11-26T00:00:00Z", to: "2026-11-27T00:00:00Z" };
    expect(closedText({ ...time, name: "Thanksgiving", sequences: ["a", "b"] })).toBe("Thanksgiving: a, b");
    expect(closedText({ ...time, name: "Thanksgiving", sequences: [] })).toBe("Thanksgiving");
    expect(closedText({ ...time, name: "Freeze", sequences: [..."abcdefgh"] })).toBe("Freeze: a, b, c, d, e, 3 more");
    expect(fewOf([..."abc"], 3)).toEqual(["a", "b", "c"]);
    expect(fewOf([..."abcd"], 3)).toEqual(["a", "b", "2 more"]);
  });
});

describe("marks", () => {
  const many = (count: number, sequenceId: string, outcome: SequenceSlot["outcome"]) =>
    Array.from({ length: count }, (_, index) => slot(`2026-11-22T00:${String(index).padStart(2, "0")}:00Z`, sequenceId, outcome));

  it("are single slots while there is room", () => {
    const marks = marksOf([slot("2026-11-22T00:00:00Z"), slot("2026-11-22T01:00:00Z", "a", "missed", 24)], 2);
    expect(marks.map(({ count, slot: one }) => [count, one?.at])).toEqual([
      [1, "2026-11-22T00:00:00Z"],
      [24, "2026-11-22T01:00:00Z"],
    ]);
  });

  it("are told apart where one slot was run more than once", () => {
    const twice = [1, 2].map((executionId) => ({ ...slot("2026-11-22T00:00:00Z"), executionId }));
    expect(new Set(marksOf(twice, 4).map(({ key }) => key)).size).toBe(2);
  });

  it("are then sequences with counts, of which one with a single slot leads to it", () => {
    const marks = marksOf([...many(30, "sync", "completed"), ...many(2, "sync", "missed"), ...many(1, "report", "completed")], 4);
    expect(marks.map(({ sequenceId, outcome, count, slot: one }) => [sequenceId, outcome, count, one !== undefined])).toEqual([
      ["sync", "completed", 30, false],
      ["sync", "missed", 2, false],
      ["report", "completed", 1, true],
    ]);
  });

  it("are finally sums by outcome", () => {
    const slots = ["a", "b", "c", "d", "e"].flatMap((sequence) => many(3, sequence, "completed"));
    const marks = marksOf([...slots, slot("2026-11-22T00:00:00Z", "f", "missed", 24)], 4);
    expect(marks.map(({ sequenceId, outcome, count }) => [sequenceId, outcome, count])).toEqual([
      [undefined, "completed", 15],
      [undefined, "missed", 24],
    ]);
  });

  it("are counted by outcome", () => {
    expect(tallyOf([...many(2, "a", "missed"), ...many(3, "b", "completed"), slot("2026-11-22T00:00:00Z", "c", "missed", 5)])).toEqual([
      { outcome: "completed", count: 3 },
      { outcome: "missed", count: 7 },
    ]);
    expect(tallyOf([])).toEqual([]);
  });
});

describe("the hours of a day", () => {
  const hours = (day: string, slots: SequenceSlot[] = [], more: Partial<Calendar> = {}) =>
    planOf([day], calendar(slots, more), zone).flatMap((plan) => hoursOf(plan, zone));

  it("are those that clocks show, each once", () => {
    expect(hours("2026-11-22").map(({ hour, times }) => [hour, times])).toEqual(
      Array.from({ length: 24 }, (_, hour) => [hour, 1]),
    );
  });

  it("skip one in spring", () => {
    expect(hours("2026-03-29").filter(({ times }) => times !== 1)).toMatchObject([{ hour: 2, times: 0 }]);
  });

  it("have one twice in autumn, with the slots of both", () => {
    const both = [slot("2026-10-25T00:30:00Z"), slot("2026-10-25T01:30:00Z")];
    const odd = hours("2026-10-25", both).filter(({ times }) => times !== 1);
    expect(odd).toMatchObject([{ hour: 2, times: 2, slots: both }]);
  });

  it("tell which are closed", () => {
    const closed = [{ from: "2026-11-22T20:30:00Z", to: "2026-11-23T00:00:00Z", name: "Freeze", sequences: [] }];
    expect(hours("2026-11-22", [], { closed }).flatMap(({ hour, closed: shut }) => (shut ? hour : []))).toEqual([21, 22, 23]);
  });

  it("mark the second of two equal local times", () => {
    const [day] = planOf(["2026-10-25"], calendar([]), zone);
    expect(slotTime("2026-10-25T00:30:00Z", day!, zone)).toBe("02:30");
    expect(slotTime("2026-10-25T01:30:00Z", day!, zone)).toBe("02:30 (2nd)");
    expect(slotTime("2026-10-25T02:30:00Z", day!, zone)).toBe("03:30");
    expect(slotTime("2026-10-24T22:30:00Z", day!, zone)).toBe("00:30");
  });
});
