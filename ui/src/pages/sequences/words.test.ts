import { describe, expect, it } from "vitest";
import { actionText, missedPolicy, type Standing, type TextAction } from "./words";

const now = Date.parse("2026-11-22T12:00:00Z");
const past = "2026-11-21T00:00:01Z";
const calm: Standing = { status: "COMPLETED", active: true, nextRun: "2026-11-23T00:00:01Z", misfire: "LATEST" };
const paused: Partial<Standing> = { pausedBy: "ann", pauseReason: "the shop is closed" };
const text = (action: TextAction, standing: Partial<Standing> = {}) => actionText(action, { ...calm, ...standing }, now);

describe("the description of an action", () => {
  it("names the pause that a run and a restart end, and says that both activate", () => {
    for (const action of ["request-run", "restart"] as const) {
      expect(text(action)).not.toMatch(/pause|active/);
      expect(text(action, paused)).toMatch(/The pause by ann \(the shop is closed\) ends, and the schedule runs again\./);
      expect(text(action, { active: false })).toMatch(/The sequence becomes active, and its schedule runs again\./);
      expect(text(action, { active: false, pausedBy: "ann" })).toMatch(/The pause by ann ends, and the sequence becomes active/);
    }
  });

  it("covers missed slots when a schedule runs again", () => {
    expect(text("activate", { active: false })).toBe("The schedule runs from now on.");
    const late = { active: false, nextRun: past };
    expect(text("activate", late)).toMatch(/the newest of them runs immediately/);
    expect(text("activate", { ...late, misfire: "NONE" })).toMatch(/they do not run/);
    expect(text("activate", { ...late, misfire: "ALL" })).toMatch(/they run immediately, one after another/);
    expect(text("activate", { ...late, misfire: undefined })).toMatch(/according to the misfire policy/);
    expect(text("resume", { ...paused, nextRun: past })).toMatch(/^The pause by ann \(the shop is closed\) ends\. .*newest/);
    expect(text("request-run", { ...paused, nextRun: past })).toMatch(/newest of them runs/);
    expect(text("request-run", { nextRun: past })).not.toMatch(/missed/);
  });

  it("does not promise a schedule that still does not run", () => {
    expect(text("activate", { active: false, status: "ABORTED", nextRun: past })).toMatch(/^The sequence becomes active\. Its schedule still does not run/);
    expect(text("activate", { ...paused, active: false, nextRun: past })).toBe(
      "The sequence becomes active. The pause by ann (the shop is closed) remains: the schedule does not run until it is resumed.",
    );
    expect(text("resume", { ...paused, active: false, nextRun: past })).toMatch(/ends\. The sequence stays inactive\.$/);
    expect(text("resume", { ...paused, status: "ABORTED", nextRun: past })).toMatch(/still does not run/);
  });

  it("says what a manual run keeps, and what it changes", () => {
    expect(text("run")).toMatch(/The schedule does not change\.$/);
    expect(text("run", { active: false })).toMatch(/The sequence stays inactive\.$/);
    expect(text("run", paused)).toMatch(/The pause by ann \(the shop is closed\) remains\.$/);
    expect(text("run", { status: "ABORTED" })).toMatch(/aborted execution is cancelled.* When this run succeeds, the schedule runs again\.$/);
    expect(text("run", { status: "ABORTED", active: false })).not.toMatch(/runs again/);
  });

  it("says what a server start undoes", () => {
    expect(text("deactivate", { origin: "stock.json" })).toMatch(/registers the sequence from stock\.json again\. .*pause it\.$/);
    expect(text("activate", { active: false, origin: "code" })).toMatch(/until the next server start/);
    expect(text("deactivate")).not.toMatch(/server start/);
    expect(text("pause", { origin: "stock.json" })).not.toMatch(/stock/);
  });
});

it("the handling of missed slots depends on both policies", () => {
  expect(missedPolicy({})).toBe("LATEST");
  expect(missedPolicy({ misfire: "all" })).toBe("ALL");
  expect(missedPolicy({ overlap: "BUFFER_ALL" })).toBe("ALL");
  expect(missedPolicy({ misfire: "ALL", overlap: "CANCEL" })).toBe("LATEST");
  expect(missedPolicy({ misfire: "NONE", overlap: "BUFFER_ALL" })).toBe("NONE");
});
