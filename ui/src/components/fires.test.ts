import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Fire } from "../api/schema";
import { fireTitle, firesText, fireWords, triggerText } from "./fires";

const fire = (part: Partial<Fire>): Fire => ({
  sequenceId: "report",
  slot: "2026-11-22T00:00:01Z",
  outcome: "completed",
  trigger: "schedule",
  count: 1,
  ...part,
});

describe("fires", () => {
  it("are summed up for screen readers", () => {
    expect(firesText([])).toBe("No fires yet");
    expect(firesText([fire({})])).toBe("1 fire: 1 completed");
    expect(firesText([fire({}), fire({ outcome: "missed", count: 3 }), fire({})])).toBe(
      "5 fires: 2 completed, 3 missed",
    );
  });

  it("have a tooltip with their outcome and its reason", () => {
    const when = (at: string) => at.slice(0, 10);
    expect(fireTitle(fire({ executionId: 7, from: "2026-11-15T00:00:00Z", to: "2026-11-22T00:00:00Z" }), when)).toBe(
      "Completed: 2026-11-22\ntrigger: schedule\nwindow 2026-11-15 to 2026-11-22\nexecution 7",
    );
    expect(fireTitle(fire({ outcome: "missed", count: 4, reason: "no executor was running" }), when)).toBe(
      "Missed: 2026-11-22\nand 3 more after it\ntrigger: schedule\nno executor was running",
    );
  });

  it("name a trigger that is not known as it is", () => {
    expect(triggerText("MANUAL")).toBe("manual run");
    expect(triggerText("moon")).toBe("moon");
  });

  it("have each a colour of their own sheet", () => {
    const sheet = readFileSync(new URL("./sparks.css", import.meta.url), "utf8");
    for (const outcome of Object.keys(fireWords)) expect(sheet).toMatch(new RegExp(`\\.spark-${outcome}(,\\n[^{]*)? \\{`));
  });
});
