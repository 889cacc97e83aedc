import { describe, expect, it } from "vitest";
import type { Change } from "../api/schema";
import { everything, isSum, merge, touched } from "./touched";

const one: Change = { instances: [7], types: ["order"], more: false, executors: false };

describe("what a change makes old", () => {
  it.each<[unknown[], boolean]>([
    [["instance", 7], true],
    [["instance", 7, "history"], true],
    [["instance", 8], false],
    [["instances", { status: ["failed"] }], true],
    [["overview", "24h"], true],
    [["problems"], true],
    [["failures"], true],
    [["audit", {}], true],
    [["definition", "order", undefined], true],
    [["definition", "fan-out", undefined], false],
    [["bulk", 7], true],
    [["bulk", 8], false],
    [["bulk"], true],
    [["settings"], false],
    [["session"], false],
    [["keys"], false],
    [["counts", "failed", {}], false],
  ])("instance 7 changed: %j %s", (key, expected) => {
    expect(touched(one, key)).toBe(expected);
  });

  it("takes every instance when there were too many to name", () => {
    expect(touched({ instances: [], more: true }, ["instance", 8])).toBe(true);
    expect(touched({ instances: [], more: true, types: ["order"] }, ["definition", "fan-out"])).toBe(true);
  });

  it("takes what shows executors when only they changed", () => {
    const change: Change = { instances: [], executors: true };
    expect(touched(change, ["executors"])).toBe(true);
    expect(touched(change, ["continuous-workflows", {}])).toBe(true);
    expect(touched(change, ["overview", "1h"])).toBe(true);
    expect(touched(change, ["instances", {}])).toBe(false);
    expect(touched(change, ["instance", 7])).toBe(false);
  });

  it("takes what shows task sequences when only they changed", () => {
    const change: Change = { sequences: true };
    for (const first of ["sequences", "sequence", "calendar", "taskVisits", "reports", "channels", "tasks"]) {
      expect(touched(change, [first, {}])).toBe(true);
    }
    expect(touched(change, ["instances", {}])).toBe(false);
    expect(touched(everything, ["dead-letters", "a", 20])).toBe(false); // reading them disturbs a user who moves them
    expect(touched(one, ["calendar", {}])).toBe(false);
    expect(touched(one, ["taskVisits", {}])).toBe(true);
    expect(touched(one, ["sequence", "report"])).toBe(true);
    expect(touched(one, ["tasks"])).toBe(false);
  });

  it("takes nothing when nothing is named", () => {
    for (const first of ["instance", "instances", "overview", "executors", "bulk", "calendar", "taskVisits"]) {
      expect(touched({}, [first, 7])).toBe(false);
    }
  });

  it("takes all but what no instance changes when everything may have changed", () => {
    for (const key of [["instance", 1], ["instances", {}], ["overview"], ["executors"], ["bulk", 1], ["definition", "x"], ["calendar"], ["reports"]]) {
      expect(touched(everything, key)).toBe(true);
    }
    expect(touched(everything, ["session"])).toBe(false);
  });

  it("knows which answers sum up many instances", () => {
    expect(isSum(["overview"])).toBe(true);
    expect(isSum(["instance", 7])).toBe(false);
  });

  it("joins two changes", () => {
    expect(merge(one, { instances: [7, 9], types: ["fan-out"], executors: true, sequences: true })).toEqual({
      instances: [7, 9],
      types: ["order", "fan-out"],
      more: false,
      executors: true,
      sequences: true,
    });
  });
});
