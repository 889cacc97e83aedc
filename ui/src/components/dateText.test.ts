import { describe, expect, it } from "vitest";
import { readDate, showDate } from "./dateText";

describe("a date that is typed", () => {
  it.each([
    ["2026-11-05", "2026-11-05"],
    [" 2026-11-05 ", "2026-11-05"],
    ["2026-02-30", null],
    ["11/05/2026", null],
    ["2026-1-5", null],
    ["2026-11-05 10:00", null],
  ])("%s", (text, date) => expect(readDate(text, false)).toBe(date));

  it.each([
    ["2026-11-05 16:30", "2026-11-05T16:30"],
    ["2026-11-05T16:30:09", "2026-11-05T16:30:09"],
    ["2026-11-05 16:30:09.125", "2026-11-05T16:30:09.125"],
    ["2026-11-05 24:00", null],
    ["2026-11-05 4:30 pm", null],
    ["2026-11-05", null],
  ])("with a time: %s", (text, time) => expect(readDate(text, true)).toBe(time));

  it("is shown as all times are", () => {
    expect(["2026-11-05T16:30", "2026-11-05", ""].map(showDate)).toEqual(["2026-11-05 16:30", "2026-11-05", ""]);
  });
});
