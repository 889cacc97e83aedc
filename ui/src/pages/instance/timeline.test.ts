import { describe, expect, it } from "vitest";
import type { HistoryEntry, InstanceDetail } from "../../api/schema";
import { lengthOf, rowsOf, scaleOf } from "./timeline";

const start = Date.parse("2026-11-21T08:00:00Z");
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();

const entry = (seq: number, from: number, to: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  seq,
  type: "stateExecution",
  from: "pay",
  to: "pay",
  attempt: 1,
  started: at(from),
  ended: at(to),
  ...more,
});

const instance = (more: Partial<InstanceDetail> = {}) =>
  ({ created: at(0), ended: null, state: "pay", status: "inProgress", why: { kind: "timer", sentence: "Later." }, ...more }) as InstanceDetail;

const kinds = (rows: ReturnType<typeof rowsOf>) => rows.map(({ segments }) => segments.map(({ kind }) => kind).join(" "));

describe("rows", () => {
  it("distinguish waits from back-offs, attempts from actions", () => {
    const rows = rowsOf(
      instance(),
      [
        entry(1, 1, 2),
        entry(2, 60, 61, { type: "stateExecutionFailed" }),
        entry(3, 65, 66),
        entry(4, 70, 70, { type: "wake", actor: "ann", attempt: 0 }),
      ],
      start + 100_000,
    );
    expect(kinds(rows)).toEqual(["wait run", "wait failed", "backOff run", "wait action", "wait"]);
    expect(rows[3]?.detail).toBe("wake by ann");
    expect(rows.at(-1)?.segments[0]).toMatchObject({ from: start + 70_000, to: start + 100_000 });
  });

  it("end where the instance ended, and continue while it executes", () => {
    expect(rowsOf(instance({ ended: at(2) }), [entry(1, 1, 2)], start + 9_000)).toHaveLength(1);
    expect(kinds(rowsOf(instance({ status: "executing" }), [], start + 9_000))).toEqual(["open"]);
  });

  it("say how long was waited and how long was worked", () => {
    const [row] = rowsOf(instance({ ended: at(9) }), [entry(1, 4, 9)], start);
    expect(lengthOf(row!.segments, ["wait", "backOff"])).toBe(4_000);
    expect(lengthOf(row!.segments, ["run"])).toBe(5_000);
    expect(lengthOf(row!.segments, ["action"])).toBeNull();
  });

  it("start with the first loaded entry", () => {
    const rows = rowsOf(instance({ ended: at(90) }), [entry(501, 60, 61), entry(502, 80, 90)], start);
    expect(kinds(rows)).toEqual(["run", "wait run"]);
  });

  it("never run backwards, even if the clocks of nodes differ", () => {
    const rows = rowsOf(instance({ ended: at(5) }), [entry(1, 5, 4), entry(2, 3, 5)], start);
    for (const { segments } of rows) for (const { from, to } of segments) expect(to).toBeGreaterThanOrEqual(from);
  });
});

describe("the scale", () => {
  it("folds a wait of a day beside work of a second", () => {
    const rows = rowsOf(instance({ ended: at(86_402) }), [entry(1, 0, 1), entry(2, 86_401, 86_402)], start);
    const { at: place, folds } = scaleOf(rows);
    expect(folds).toHaveLength(1);
    expect(place(start)).toBe(0);
    expect(place(start + 86_402_000)).toBeCloseTo(1);
    expect(place(start + 1_000)).toBeGreaterThan(0.05);
    expect(place(start + 43_000_000)).toBeGreaterThan(place(start + 1_000));
    expect(place(start + 43_000_000)).toBeLessThan(place(start + 86_401_000));
  });

  it("marks the longest folds only", () => {
    const entries = Array.from({ length: 40 }, (_, index) => entry(index + 1, index * 1000 + index, index * 1000 + index + 0.01));
    const { folds } = scaleOf(rowsOf(instance({ ended: at(40_000) }), entries, start));
    expect(folds).toHaveLength(12);
    expect(Math.min(...folds.map(({ from, to }) => to - from))).toBeGreaterThan(1_000_000);
  });

  it("works for a single moment", () => {
    const { at: place } = scaleOf(rowsOf(instance({ ended: at(0) }), [entry(1, 0, 0)], start));
    expect(place(start)).toBeGreaterThanOrEqual(0);
  });
});
