import { expect, it } from "vitest";
import { periodText, subjectText } from "./names";

it("describes the subject of a ledger key, and keeps unknown keys", () => {
  expect(["guard:till-watch", "trigger:close", "recycle:millrace/node-1", "close", "close: <b>"].map(subjectText)).toEqual([
    "till-watch, claimed by its handler",
    "close, by its trigger",
    "recycle of node-1 in group millrace",
    "close",
    "close: <b>",
  ]);
});

it("formats an hour as a time with its offset, and keeps other periods", () => {
  expect(["2026-11-28T11+00:00", "2026-11-28T11+05:30", "2026-11-28", "2026-W48", "2026-11", "shift 3"].map(periodText)).toEqual([
    "2026-11-28 11:00 +00:00",
    "2026-11-28 11:00 +05:30",
    "2026-11-28",
    "2026-W48",
    "2026-11",
    "shift 3",
  ]);
});
