import { describe, expect, it } from "vitest";
import { actionText, missedPolicy, type Standing, type TextAction } from "./words";

const now = Date.parse("2026-11-22T12:00:00Z");
const past = "2026-11-21T00:00:01Z";
const calm: Standing = { status: "COMPLETED", active: true, nextRun: "2026-11-23T00:00:01Z", misfire: "LATEST" };
const paused: Partial<Standing> = { pausedBy: "ann", pauseReason: "the shop is closed" };
const text = (action: TextAction, standing: Partial<Standing> = {}) => actionText(action, { ...calm, ...standing }, now);

describe("what is said before an action", () => {
  it("names whose pause ends by a run and by a restart, and that both activate", () => {
    for (const action of ["run-immediately", "restart"] as const) {
      expect(text(action)).not.toMatch(/pause|active/);
      expect(text(action, paused)).toMatch(/The pause by ann \(the shop is closed\) ends: its schedule runs, too\./);
      expect(text(action, { active: false })).toMatch(/It becomes active: its schedule runs, too\./);
      expect(text(action, { active: false, pausedBy: "ann" })).toMatch(/The pause by ann ends, and it becomes active/);
    }
  });

  it("tells what becomes of missed slots when a schedule runs again", () => {
    expect(text("activate", { active: false })).toBe("Its schedule runs from now on.");
    const late = { active: false, nextRun: past };
    expect(text("activate", late)).toMatch(/the newest of them runs at once/);
    expect(text("activate", { ...late, misfire: "SKIP" })).toMatch(/they are left out/);
    expect(text("activate", { ...late, misfire: "ALL" })).toMatch(/they run at once, one after another/);
    expect(text("activate", { ...late, misfire: undefined })).toMatch(/as its misfire policy says/);
    expect(text("resume", { ...paused, nextRun: past })).toMatch(/^The pause by ann \(the shop is closed\) ends\. .*newest/);
    expect(text("run-immediately", { ...paused, nextRun: past })).toMatch(/newest of them runs/);
    expect(text("run-immediately", { nextRun: past })).not.toMatch(/missed/);
  });

  it("does not promise a schedule that goes on resting", () => {
    expect(text("activate", { active: false, status: "ABORTED", nextRun: past })).toMatch(/^It becomes active\. Its schedule still rests/);
    expect(text("activate", { ...paused, active: false, nextRun: past })).toBe(
      "It becomes active. The pause by ann (the shop is closed) goes on: until it is resumed, nothing begins.",
    );
    expect(text("resume", { ...paused, active: false, nextRun: past })).toMatch(/ends\. It stays inactive\.$/);
    expect(text("resume", { ...paused, status: "ABORTED", nextRun: past })).toMatch(/still rests/);
  });

  it("tells what a run by hand leaves, and what it changes", () => {
    expect(text("run")).toMatch(/Its schedule stays as it is\.$/);
    expect(text("run", { active: false })).toMatch(/It stays inactive\.$/);
    expect(text("run", paused)).toMatch(/The pause by ann \(the shop is closed\) stays\.$/);
    expect(text("run", { status: "ABORTED" })).toMatch(/aborted is cancelled.* When this run ends well, its schedule runs again\.$/);
    expect(text("run", { status: "ABORTED", active: false })).not.toMatch(/runs again/);
  });

  it("tells what a start of a server undoes", () => {
    expect(text("deactivate", { origin: "stock.json" })).toMatch(/registers it from stock\.json again\. .*pause it\.$/);
    expect(text("activate", { active: false, origin: "code" })).toMatch(/until a server starts/);
    expect(text("deactivate")).not.toMatch(/start/);
    expect(text("pause", { origin: "stock.json" })).not.toMatch(/stock/);
  });
});

it("what becomes of missed slots depends on both policies", () => {
  expect(missedPolicy({})).toBe("LATEST");
  expect(missedPolicy({ misfire: "all" })).toBe("ALL");
  expect(missedPolicy({ overlap: "BUFFER_ALL" })).toBe("ALL");
  expect(missedPolicy({ misfire: "ALL", overlap: "CANCEL" })).toBe("LATEST");
  expect(missedPolicy({ misfire: "SKIP", overlap: "BUFFER_ALL" })).toBe("SKIP");
});
