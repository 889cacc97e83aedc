import { describe, expect, it } from "vitest";
import type { RecyclePolicy } from "../../api/schema";
import { policyFaults, policyFormOf, policyOf, policySentences } from "./policy";

const policy: RecyclePolicy = {
  ...{ enabled: true, at: "04:30", zone: "Europe/Berlin", windowSeconds: 5_400, maxAgeSeconds: 93_600, memoryPercent: 85 },
  ...{ changed: null, nextUtc: "2026-11-23T03:30:00Z", nextLocal: "2026-11-23T04:30:00+01:00" },
};

describe("the recycle policy", () => {
  it("is typed in minutes and hours, and returned unchanged", () => {
    const form = policyFormOf(policy, "UTC");
    expect(form).toMatchObject({ windowMinutes: "90", maxAgeHours: "26", memoryPercent: "85", zone: "Europe/Berlin" });
    expect(policyFaults(form)).toEqual({});
    const { changed: _c, nextUtc: _u, nextLocal: _l, ...set } = policy;
    expect(policyOf(form)).toEqual(set);
  });

  it("starts with the defaults if there is none", () => {
    const none = { ...policy, enabled: false, at: null, zone: null, windowSeconds: null, maxAgeSeconds: null, memoryPercent: null };
    const form = policyFormOf(none, "Asia/Tokyo");
    expect(form).toEqual({ enabled: false, at: "04:30", zone: "Asia/Tokyo", windowMinutes: "60", maxAgeHours: "", memoryPercent: "" });
    expect(policySentences(none)).toEqual(["Automatic recycling is disabled."]);
  });

  it.each([
    [{ at: "" }, ["at"]],
    [{ at: "24:00" }, ["at"]],
    [{ zone: " " }, ["zone"]],
    [{ windowMinutes: "" }, ["windowMinutes"]],
    [{ windowMinutes: "0" }, []],
    [{ windowMinutes: "720" }, []],
    [{ windowMinutes: "721" }, ["windowMinutes"]],
    [{ maxAgeHours: "" }, []],
    [{ maxAgeHours: "0.5" }, []],
    [{ maxAgeHours: "0,01" }, ["maxAgeHours"]],
    [{ memoryPercent: "85.5" }, ["memoryPercent"]],
    [{ memoryPercent: "101" }, ["memoryPercent"]],
    [{ memoryPercent: "" }, []],
  ])("finds what is wrong with %j", (part, expected) => {
    expect(Object.keys(policyFaults({ ...policyFormOf(policy, "UTC"), ...part }))).toEqual(expected);
  });

  it("is described in sentences", () => {
    expect(policySentences(policy)).toEqual([
      "Each node restarts every day at 04:30 in Europe/Berlin, one after another over 1 h 30 min.",
      "A node that is older than 1 d 2 h restarts at any time.",
      "A node whose heap usage stays at 85 % or more restarts at any time.",
    ]);
  });
});
