import { expect, it } from "vitest";
import { whoChanged } from "./changer";

it("the user who changed something is the last who did more than run or pause it", () => {
  const entry = (actor: string, action: string, target: string | null = "report_1") => ({ actor, action, target });
  const trail = [
    entry("zoe", "changeSequence", "report_2"),
    entry("bob", "runSequence"),
    entry("bob", "pauseSequence"),
    entry("ann", "changeSequence"),
    entry("dan", "activateSequence"),
    entry("eve", "cancel", null),
  ];
  expect(whoChanged(trail, "report_1")).toBe("ann");
  expect(whoChanged(trail.slice(4), "report_1")).toBe("dan");
  expect(whoChanged(trail.slice(5), "report_1")).toBeNull();
});
