import { describe, expect, it } from "vitest";
import { bodyText } from "../../api/rawJson";
import type { RegisteredTask } from "../../api/schema";
import { emptyTask, joinedTask, taskBody, taskFaults, taskFormOf, type TaskForm } from "./taskForm";

const registered: RegisteredTask = {
  id: 1,
  revision: 3,
  name: "KPI",
  type: "Report",
  component: "com.example.Kpi",
  channel: "WORKFLOW.TASK.KPI",
  maxRetries: 0,
  firstRetryDelayMs: 1_500,
  timeoutMs: 3_600_000,
  sharesChannel: true,
  dependency: -1,
  parameters: '{"id":12345678901234567890}',
  runnable: true,
};

const good: TaskForm = { ...emptyTask("Report"), name: "KPI", component: "kpi" };

describe("a task in the form", () => {
  it("is written as it was read", () => {
    const { id: _, revision: __, runnable: ___, parameters, ...rest } = registered;
    const form = taskFormOf(registered);
    expect(form).toMatchObject({ maxRetries: "0", firstRetryDelay: "1.5", timeout: "3600" });
    expect(JSON.parse(bodyText({ ...taskBody(form), parameters: 0 }))).toEqual({ ...rest, parameters: 0 });
    expect(bodyText(taskBody(form)).replace(/\s/g, "")).toContain(`"parameters":${parameters}`);
    expect(taskFaults(form)).toEqual({});
  });

  it("sends null for the server's defaults, and shares no channel without having one", () => {
    expect(taskBody({ ...good, sharesChannel: true })).toEqual({
      ...{ name: "KPI", type: "Report", component: "kpi", channel: null, sharesChannel: false, dependency: 0 },
      ...{ maxRetries: null, firstRetryDelayMs: null, timeoutMs: null },
    });
  });

  it.each<[keyof TaskForm, string]>([
    ["name", ""],
    ["name", "a b"],
    ["name", "x".repeat(81)],
    ["type", "_x"],
    ["component", " "],
    ["component", "x".repeat(501)],
    ["channel", "a b"],
    ["channel", "x".repeat(201)],
    ["maxRetries", "1001"],
    ["maxRetries", "-1"],
    ["firstRetryDelay", "x"],
    ["timeout", "0"],
    ["dependency", "1.5"],
    ["parameters", "[]"],
  ])("has a fault in %s: %s", (field, value) => {
    expect(Object.keys(taskFaults({ ...good, [field]: value }))).toEqual([field]);
  });

  it("has none at the bounds", () => {
    const edge = { ...good, name: "x".repeat(80), maxRetries: "1000", firstRetryDelay: "0", timeout: "0.001", dependency: "-5" };
    expect(taskFaults(edge)).toEqual({});
  });
});

describe("a task that two people change", () => {
  const base = taskFormOf(registered);

  it("has the changes of both", () => {
    const found = joinedTask(base, { ...base, channel: "mine" }, { ...base, timeout: "5" });
    expect(found.form).toEqual({ ...base, channel: "mine", timeout: "5" });
    expect(found).toMatchObject({ byThem: ["the timeout"], byBoth: [] });
  });

  it("is mine where both have changed it, and reports that", () => {
    const found = joinedTask(base, { ...base, channel: "mine", parameters: "{}" }, { ...base, channel: "theirs", type: "Other" });
    expect(found.form).toEqual({ ...base, channel: "mine", parameters: "{}", type: "Other" });
    expect(found).toMatchObject({ byThem: ["the type", "the channel"], byBoth: ["the channel"] });
  });
});
