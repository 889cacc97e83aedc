import { describe, expect, it } from "vitest";
import type { SequenceStatus } from "../../api/schema";
import { helping, offered, sequenceActions, type SequenceActionName } from "./actions";
import { backfillFault, toRun } from "./backfill";
import { progressOf } from "./progress";
import { restReason } from "./rest";
import { readSequenceSearch } from "./search";

const at = (status: SequenceStatus, currentTask: string | null, tasks: string[], place?: number) =>
  progressOf({ status, currentTask, currentSequence: place ?? null, tasks });

describe("the progress of an execution", () => {
  it("follows from the status and the current task", () => {
    expect(at("NOT_STARTED", null, ["A", "B"])).toEqual(["toCome", "toCome"]);
    expect(at("COMPLETED", "B", ["A", "B"])).toEqual(["done", "done"]);
    expect(at("ABORTED", "B", ["A", "B", "C"])).toEqual(["done", "current", "toCome"]);
  });

  it("follows from the place of a repeated task", () => {
    expect(at("IN_PROGRESS", "A", ["A", "B", "A"], 3)).toEqual(["done", "done", "current"]);
    expect(at("IN_PROGRESS", "A", ["A", "B", "A"], 1)).toEqual(["current", "toCome", "toCome"]);
    expect(at("IN_PROGRESS", "A", ["A", "B", "A"])).toEqual(["unknown", "unknown", "unknown"]);
    expect(at("IN_PROGRESS", "B", ["A", "B", "A"])).toEqual(["done", "current", "toCome"]);
  });

  it("is unknown if the sequence has other tasks now", () => {
    expect(at("ERROR", "GONE", ["A", "B"])).toEqual(["unknown", "unknown"]);
    expect(at("ERROR", "B", ["A", "B"], 1)).toEqual(["done", "current"]);
    expect(at("RESTART", null, ["A"])).toEqual(["unknown"]);
  });
});

describe("actions on a sequence", () => {
  const possible: SequenceActionName[] = ["remove", "pause", "run", "resume-task"];

  it("are those that are possible and allowed, in one order", () => {
    expect(offered(possible, () => true)).toEqual(["run", "resume-task", "pause", "remove"]);
    expect(offered(possible, (operation) => operation !== "POST /instances/{id}/retry")).toEqual(["run", "pause", "remove"]);
    expect(offered(possible, () => false)).toEqual([]);
  });

  it("that help are actions", () => {
    for (const name of helping) expect(sequenceActions[name].word).toBeTruthy();
  });
});

describe("a backfill", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");

  it("goes from a time to a later one in the past", () => {
    expect(backfillFault("2026-11-01T00:00:00Z", "2026-11-22T12:00:00Z", now)).toBeNull();
    expect(backfillFault("2026-11-01T00:00:00Z", "2026-11-22T12:00:01Z", now)).toMatch(/future/);
    expect(backfillFault("2026-11-01T00:00:00Z", "2026-11-01T00:00:00Z", now)).toMatch(/not after/);
    expect(backfillFault(null, "2026-11-23T00:00:00Z", now)).toBeNull();
  });

  it("counts what would run", () => {
    const slot = { at: "", from: "", to: "" };
    expect(toRun([{ slot, outcome: "toRun" }, { slot, outcome: "hasRun" }, { slot, outcome: "excluded" }])).toBe(1);
  });
});

it("the filter of the list keeps what it knows", () => {
  expect(readSequenceSearch({ type: ["Report", "x"], text: "", page: "3" })).toEqual({ type: "Report" });
});

it("a schedule does not run while it is inactive, paused, or its sequence is aborted or not resumed", () => {
  const runs = { active: true, pausedBy: null, status: "COMPLETED", executionPaused: false } as const;
  expect(restReason(runs)).toBeNull();
  const stands = { ...runs, status: "IN_PROGRESS", executionPaused: true } as const;
  expect(restReason({ ...stands, schedule: {} })).toBe("execution paused");
  expect(restReason({ ...stands, schedule: { overlap: "SKIP" } })).toBe("execution paused");
  expect(restReason({ ...stands, schedule: { overlap: "CANCEL" } })).toBeNull();
  expect(restReason(stands)).toBeNull(); // a list does not know what its schedule does then
  expect(restReason({ ...runs, status: "ABORTED" })).toBe("aborted");
  expect(restReason({ ...runs, pausedBy: "ann", status: "ABORTED" })).toBe("paused");
  expect(restReason({ ...runs, active: false, pausedBy: "ann" })).toBe("inactive");
});
