import { describe, expect, it } from "vitest";
import type { HistoryEntry, LogLine } from "../../api/schema";
import { edited } from "./edit";
import { joined, lastChanges } from "./history";
import { attemptsOf, upFrom } from "./logs";
import { readable } from "./sentence";

const line = (id: number, state: string | null, attempt: number, level: LogLine["level"] = "info"): LogLine => ({
  id,
  at: "2026-11-21T08:00:00Z",
  level,
  logger: "shop",
  message: `line ${id}`,
  state,
  attempt,
  executorId: 3,
});

describe("log lines", () => {
  it("are together attempt by attempt", () => {
    const attempts = attemptsOf([line(1, "pay", 1), line(2, "pay", 1), line(3, "pay", 2), line(4, "ship", 1)]);
    expect(attempts.map(({ title, lines }) => `${title}: ${lines.length}`)).toEqual([
      "pay, attempt 1, executor 3: 2",
      "pay, attempt 2, executor 3: 1",
      "ship, attempt 1, executor 3: 1",
    ]);
  });

  it("are kept from a level up", () => {
    const lines = [line(1, "a", 1, "debug"), line(2, "a", 1, "warn"), line(3, "a", 1, "error")];
    expect(lines.filter(upFrom("warn")).map(({ id }) => id)).toEqual([2, 3]);
  });
});

describe("edits of variables", () => {
  it("keep the JSON as it was typed", () => {
    expect(edited([{ name: " sum ", json: " 12345678901234567890 ", remove: false }]).set).toEqual({
      sum: "12345678901234567890",
    });
  });

  it("have an error message each", () => {
    const { set, remove, faults } = edited([
      { name: "a", json: "oops", remove: false },
      { name: "", json: "1", remove: false },
      { name: "b", json: "", remove: true },
      { name: "b", json: "1", remove: false },
      { name: "c", json: "", remove: false },
      { name: "", json: "", remove: false },
    ]);
    expect(set).toEqual({});
    expect(remove).toEqual(["b"]);
    expect(faults).toEqual([
      'Invalid JSON. A string needs quotes: "text".',
      "The variable's name is missing.",
      null,
      "b occurs twice.",
      "The value is missing.",
      null,
    ]);
  });
});

describe("a history that grows", () => {
  const entries = (...seqs: number[]) => seqs.map((seq) => ({ seq }) as HistoryEntry);
  const seqs = (entries: readonly HistoryEntry[]) => entries.map(({ seq }) => seq);

  it("takes what follows, each entry once", () => {
    expect(seqs(joined(entries(1, 2), entries(2, 3)))).toEqual([1, 2, 3]);
  });

  it("is the same list when nothing follows, so that nothing is drawn again", () => {
    const before = entries(1, 2);
    expect(joined(before, [])).toBe(before);
    expect(joined(before, entries(1, 2))).toBe(before);
  });

  it("drops the oldest entries instead of filling the memory", () => {
    const all = joined(entries(...Array.from({ length: 20_000 }, (_, index) => index + 1)), entries(20_001));
    expect([all.length, all[0]?.seq, all.at(-1)?.seq]).toEqual([20_000, 2, 20_001]);
  });
});

describe("small parts", () => {
  it("find the entry that last changed a variable", () => {
    const last = lastChanges([
      { seq: 1, changes: [{ name: "a" }, { name: "b" }] },
      { seq: 2 },
      { seq: 3, changes: [{ name: "a" }] },
    ]);
    expect([...last]).toEqual([["a", 3], ["b", 1]]);
  });

  it("format the moments of a sentence for the user", () => {
    expect(readable("It continues at 2026-11-21T08:00:00.250Z.", (moment) => `<${moment}>`)).toBe(
      `It continues at <${Date.parse("2026-11-21T08:00:00.250Z")}>.`,
    );
  });
});
