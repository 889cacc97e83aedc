import { describe, expect, it } from "vitest";
import { ApiError } from "../../api/client";
import { bodyText } from "../../api/rawJson";
import type { SequenceDetail } from "../../api/schema";
import { bodyOf, emptyForm, faultsOf, formOf, joined, moved, newSequenceTask, serverFaults, type SequenceForm } from "./form";

const tasks = [
  { name: "KPI", type: "Report" },
  { name: "PDF", type: "Report" },
  { name: "CLEAN", type: "Maintenance" },
];

const detail = {
  sequenceId: "Report_weekly",
  type: "Report",
  active: true,
  parameters: '{"id":12345678901234567890}',
  sequenceTasks: [
    { task: "KPI", position: 1, parameters: '{"limit":98765432109876543210}' },
    { task: "PDF", position: 2, parameters: "{}" },
  ],
  schedule: { frequency: "WEEKLY", weekStart: "MONDAY" },
} as unknown as SequenceDetail;

const form = (part: Partial<SequenceForm> = {}): SequenceForm => ({ ...formOf(detail), ...part });
const problem = (detail: string, errors?: { field: string; message: string }[]) =>
  new ApiError(400, { type: "invalid-request", title: "Invalid request", status: 400, detail, errors });

describe("the body of a sequence", () => {
  it("keeps the digits of parameters, and leaves out what is empty", () => {
    const sent = bodyText(bodyOf(form())).replace(/\s+/g, "");
    expect(sent).toContain('{"task":"KPI","parameters":{"limit":98765432109876543210}},{"task":"PDF"}');
    expect(sent).toContain('"parameters":{"id":12345678901234567890}');
    expect(sent).toContain('"schedule":{"frequency":"WEEKLY","weekStart":"MONDAY"}');
    expect(bodyText(bodyOf(form({ parameters: "", sequenceTasks: [newSequenceTask("PDF")] })))).not.toContain("parameters");
  });
});

describe("what is wrong with a sequence", () => {
  it("is nothing for a sequence from the server", () => {
    expect(faultsOf(form(), tasks)).toEqual({});
  });

  it("is what an empty form lacks", () => {
    expect(Object.keys(faultsOf(emptyForm(), tasks)).sort()).toEqual(["sequenceId", "tasks", "type"]);
  });

  it.each(["-x", "a b", "a/b", "ä", "x".repeat(151), ""])("is the id %s", (sequenceId) => {
    expect(faultsOf(form({ sequenceId }), tasks)).toHaveProperty("sequenceId");
  });

  it.each(["a", "0", "A.b_c-d", "x".repeat(150)])("is not the id %s", (sequenceId) => {
    expect(faultsOf(form({ sequenceId }), tasks)).toEqual({});
  });

  it("is a task that is gone, of another type, or with parameters that are no object", () => {
    const faults = faultsOf(form({ sequenceTasks: [newSequenceTask("GONE"), newSequenceTask("CLEAN"), newSequenceTask("KPI", "[1]"), newSequenceTask("PDF", "{oops")] }), tasks);
    expect(faults["tasks.0"]).toMatch(/not registered/);
    expect(faults["tasks.1"]).toMatch(/Maintenance, expected Report/);
    expect(faults["tasks.2.parameters"]).toMatch(/Must be a JSON object/);
    expect(faults["tasks.3.parameters"]).toMatch(/Invalid JSON/);
  });

  it("is more tasks than there may be", () => {
    const sequenceTasks = Array.from({ length: 101 }, () => newSequenceTask("KPI"));
    expect(faultsOf(form({ sequenceTasks }), tasks).tasks).toMatch(/101/);
    expect(faultsOf(form({ sequenceTasks: sequenceTasks.slice(1) }), tasks)).toEqual({});
  });
});

describe("what the server finds wrong", () => {
  it("is shown at the field that it names", () => {
    expect(
      serverFaults(
        problem("", [
          { field: "tasks[1].parameters", message: "a" },
          { field: "/schedule/zone", message: "b" },
          { field: "schedule.every", message: "c" },
        ]),
      ),
    ).toEqual({ "tasks.1.parameters": "a", "schedule.zone": "b", "schedule.amount": "c" });
  });

  it("is shown at the field of the schedule that the sentence names", () => {
    const cron = "Cron '0 0 99 ? * *': hours is '99': too large.";
    expect(serverFaults(problem("", [{ field: "schedule", message: `cannot be used: ${cron}` }]))).toEqual({ "schedule.cron": cron });
    expect(serverFaults(problem("", [{ field: "schedule", message: "is odd." }]))).toEqual({ schedule: "is odd." });
  });

  it.each([
    ["There is a sequence 'x' already. Take another id.", "sequenceId"],
    ["A schedule: 'zone' is 'X'; expected a time zone such as Europe/Berlin.", "schedule.zone"],
    ["Cron '0 0 99 ? * *': hours is '99': too large.", "schedule.cron"],
    ["A schedule ONETIME needs an end date: the last day that it reports.", "schedule.endDate"],
    ["A schedule BI_WEEKLY_SPRINT needs a start date.", "schedule.startDate"],
    ["A calendar has the key 'days'; expected some of [name].", "schedule.calendars"],
    ["An interval is PT0S; expected whole seconds.", "schedule.amount"],
  ])("%s", (sentence, field) => {
    expect(serverFaults(problem(sentence))).toEqual({ [field]: sentence });
  });

  it("is at no field if it names none", () => {
    expect(serverFaults(problem("The database does not answer."))).toEqual({});
    expect(serverFaults(new Error("x"))).toEqual({});
    expect(serverFaults(null)).toEqual({});
  });
});

describe("tasks", () => {
  it("are moved within their list", () => {
    expect(moved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
    expect(moved(["a", "b", "c"], 2, 1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
    expect(moved(["a", "b"], 1, 2)).toEqual(["a", "b"]);
  });
});

describe("the changes of two people", () => {
  it("are merged if they do not overlap", () => {
    const { form: both, byThem, byBoth } = joined(form(), form({ parameters: '{"mine":1}' }), form({ active: false }));
    expect(both).toMatchObject({ parameters: '{"mine":1}', active: false });
    expect(byThem).toEqual(["the active flag"]);
    expect(byBoth).toEqual([]);
  });

  it("are mine where both overlap, and are reported", () => {
    const mine = form({ sequenceTasks: [newSequenceTask("KPI")] });
    const { form: both, byBoth } = joined(form(), mine, form({ sequenceTasks: [newSequenceTask("PDF")], parameters: "" }));
    expect(both.sequenceTasks.map(({ task }) => task)).toEqual(["KPI"]);
    expect(both.parameters).toBe("");
    expect(byBoth).toEqual(["the type and the tasks"]);
  });
});
