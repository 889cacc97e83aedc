import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SequenceSlot } from "../api/schema";
import { slotTitle, slotsText, outcomeWords, causeText } from "./slots";

const slot = (part: Partial<SequenceSlot>): SequenceSlot => ({
  sequenceId: "report",
  at: "2026-11-22T00:00:01Z",
  outcome: "completed",
  cause: "schedule",
  count: 1,
  ...part,
});

describe("slots", () => {
  it("are summed up for screen readers", () => {
    expect(slotsText([])).toBe("No slots yet");
    expect(slotsText([slot({})])).toBe("1 slot: 1 completed");
    expect(slotsText([slot({}), slot({ outcome: "missed", count: 3 }), slot({})])).toBe(
      "5 slots: 2 completed, 3 missed",
    );
  });

  it("have a tooltip with their outcome and its reason", () => {
    const when = (at: string) => at.slice(0, 10);
    expect(slotTitle(slot({ executionId: 7, from: "2026-11-15T00:00:00Z", to: "2026-11-22T00:00:00Z" }), when)).toBe(
      "Completed: 2026-11-22\ncause: schedule\nwindow 2026-11-15 to 2026-11-22\nexecution 7",
    );
    expect(slotTitle(slot({ outcome: "missed", count: 4, reason: "no executor was running" }), when)).toBe(
      "Missed: 2026-11-22\nand 3 more after it\ncause: schedule\nno executor was running",
    );
  });

  it("name a cause that is not known as it is", () => {
    expect(causeText("MANUAL")).toBe("manual run");
    expect(causeText("moon")).toBe("moon");
  });

  it("have each a colour of their own sheet", () => {
    const sheet = readFileSync(new URL("./sparks.css", import.meta.url), "utf8");
    for (const outcome of Object.keys(outcomeWords)) expect(sheet).toMatch(new RegExp(`\\.spark-${outcome}(,\\n[^{]*)? \\{`));
  });
});
