import { describe, expect, it } from "vitest";
import { completeBuckets } from "./buckets";

const at = (time: string) => `2026-11-23T${time}Z`;
const buckets = ["12:00:00", "12:01:00", "12:02:00"].map((time) => ({ at: at(time), started: 1, finished: 1, failed: 0, cancelled: 0 }));
const shown = (completeTo: string) =>
  completeBuckets({ buckets, bucketSeconds: 60, from: at("12:00:00"), to: at("12:03:00"), completeTo: at(completeTo) }).length;

describe("the buckets of a chart", () => {
  it("end with the last one that is complete", () => {
    expect(shown("12:02:59")).toBe(2);
    expect(shown("12:03:00")).toBe(3);
    expect(shown("12:00:30")).toBe(0);
  });
});
