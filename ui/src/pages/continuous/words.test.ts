import { expect, it } from "vitest";
import type { Executor } from "../../api/schema";
import { targetsOf } from "./targets";
import { detailText, reasonText, settingFacts, unhealthy, unmetText } from "./words";

it("describes why a run started, and keeps unknown reasons", () => {
  expect(["DEPLOY", "HOURLY", "FAILOVER", "", null, "FULL MOON"].map(reasonText)).toEqual([
    "first start or rollout",
    "regular continuation",
    "its executor failed",
    "",
    "",
    "FULL MOON",
  ]);
});

it("describes how a run was started, and keeps other details", () => {
  expect(["AutoStart", "AutoStart (Continuation)", "ManualStart", "no such queue", null].map(detailText)).toEqual([
    "by the engine",
    "as the continuation of the previous run",
    "by an operator",
    "no such queue",
    "",
  ]);
});

it("lists the settings in its code by name, with readable durations", () => {
  const json = '{"continuation":"PT10M","continuationAge":"PT10M","restart":"PT1S to PT1M","trigger":"every 1m","chunk":{"size":5}}';
  expect(settingFacts(json, "utc")).toEqual([
    ["Trigger", "every 1m"],
    ["New run after", "10 min"],
    ["Wait after a failure", "1 s to 1 min"],
    ["chunk", '{"size":5}'],
  ]);
  expect(settingFacts('{"continuation":"off"}', "utc")).toEqual([["New run after", "never"]]);
  expect(settingFacts("no JSON", "utc")).toEqual([]);
});

it("counts only an enabled workflow as unhealthy", () => {
  const health = { failures: 0, backOffUntil: null, crashLoop: false, error: null, downSince: null, debugUntil: null, debugBy: null };
  expect(unhealthy({ enabled: true, health })).toBe(false);
  expect(unhealthy({ enabled: true, health: { ...health, downSince: "2026-11-22T10:00:00Z" } })).toBe(true);
  expect(unhealthy({ enabled: false, health: { ...health, error: "no such queue" } })).toBe(false);
});

it("offers executors that accept work, the idlest first, and not the current one", () => {
  const executors = [
    { id: 1, status: "alive", concurrency: 8, runningHandlers: 0 },
    { id: 2, status: "alive", concurrency: 8, runningHandlers: 5 },
    { id: 3, status: "cordoned", concurrency: 8, runningHandlers: 0 },
    { id: 4, status: "alive", concurrency: 8, runningHandlers: 1 },
    { id: 5, status: "dead", concurrency: 8, runningHandlers: 0 },
  ] as Executor[];
  expect(targetsOf(executors, 1).map(({ id }) => id)).toEqual([4, 2]);
  expect(targetsOf(executors, null).map(({ id }) => id)).toEqual([1, 4, 2]);
});

it("formats the times in the conditions against a continuation", () => {
  expect(unmetText("the run began at 2026-11-22T17:45:00.123Z, less than PT1H ago", "utc")).toBe(
    "the run began at 2026-11-22 17:45:00, less than 1 h ago",
  );
  expect(unmetText("ann looks into it until 2026-11-22T17:45:00Z", "utc")).toBe("ann looks into it until 2026-11-22 17:45:00");
  expect(unmetText("it is less than PT1H30M", "utc")).toBe("it is less than 1 h 30 min");
  expect(unmetText("execution 7 of it runs", "utc")).toBe("execution 7 of it runs");
});
