import { describe, expect, it } from "vitest";
import { isShort } from "./fields";
import { emptyJob, jobFaults, requestOf, type JobForm } from "./form";
import { readFlowSearch, readQueueSearch } from "./search";

const form = (part: Partial<JobForm>): JobForm => ({ ...emptyJob([]), ...part });

describe("the form of a job", () => {
  it("starts with the lookup fields", () => {
    expect(JSON.parse(emptyJob(["path", 'a"b']).fields)).toEqual({ path: "", 'a"b': "" });
    expect(jobFaults(emptyJob([]))).toEqual({});
  });

  it.each([
    ["", /Invalid JSON/],
    ["[1]", /Must be a JSON object/],
    ['{"a": 1, "a": 2}', /"a" occurs twice/],
    ['{"": 1}', /needs a name/],
    ['{"done": true}', /"done" is reserved/],
    ['{"completed-queue": "a"}', /reserved/],
    ['{"children:split:params": []}', /reserved/],
  ])("finds what is wrong with %s", (fields, fault) => {
    expect(jobFaults(form({ fields })).fields).toMatch(fault);
  });

  it("accepts only whole numbers", () => {
    for (const delay of ["-1", "1.5", "soon", "31536001"]) expect(jobFaults(form({ delay })).delay).toBeTruthy();
    for (const priority of ["-1", "101", "high"]) expect(jobFaults(form({ priority })).priority).toBeTruthy();
    for (const delay of ["", "0", " 60 ", "31536000"]) expect(jobFaults(form({ delay })).delay).toBeUndefined();
    for (const priority of ["", "1", "100"]) expect(jobFaults(form({ priority })).priority).toBeUndefined();
  });

  it("sends what was typed, and nothing for empty fields", () => {
    expect(requestOf(form({ fields: ' {"n": 1.0} ', delay: "60", priority: "0", uniqueKey: " k " }))).toEqual({
      ...{ fields: '{"n": 1.0}', delaySeconds: 60, priority: undefined, uniqueKey: "k", correlationId: "" },
    });
    expect(requestOf(form({ fields: "{", delay: "soon" })), "what is shown of a form with faults").toMatchObject({ fields: "{}", delaySeconds: undefined });
  });
});

it("shows short values in their line", () => {
  expect(["1", '"a b"', "null", " [1]", '{"a":1}', `"${"x".repeat(200)}"`].map(isShort)).toEqual([true, true, true, false, false, false]);
});

describe("an address", () => {
  it("keeps what it knows", () => {
    expect(readFlowSearch({ field: "path", value: "a b", other: "x" })).toEqual({ field: "path", value: "a b" });
    expect(readFlowSearch({ field: "" })).toEqual({});
    expect(readQueueSearch({ list: "dead" })).toEqual({ list: "dead" });
    expect(readQueueSearch({ list: "gone" })).toEqual({});
  });
});
