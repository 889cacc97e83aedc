import { describe, expect, it } from "vitest";
import type { Filter } from "./filter";
import { chips, openedBy, parseLine, suggestions, tokenNames } from "./tokens";

const now = Date.parse("2026-11-21T12:00:00Z");
const filterOf = (text: string, filter: Filter = {}) => {
  const parsed = parseLine(text, filter, now, "utc");
  return "filter" in parsed ? JSON.parse(JSON.stringify(parsed.filter)) : undefined;
};
const errorOf = (text: string) => {
  const parsed = parseLine(text, {}, now, "utc");
  return "error" in parsed ? parsed.error : undefined;
};

describe("a typed token", () => {
  it.each<[string, Filter]>([
    ["ORD-1", { keyPrefix: "ORD-1" }],
    ["Ada Quinn", { keyPrefix: "Ada Quinn" }],
    ['"Order:17"', { keyPrefix: "Order:17" }],
    ["status:failed Ada created:yesterday", { status: ["failed"], keyPrefix: "Ada", createdFrom: "2026-11-20T00:00:00.000Z", createdTo: "2026-11-21T00:00:00.000Z" }],
    ['state:"on hold" type:order type:cart', { state: "on hold", type: ["order", "cart"] }],
    ["ended:today", { endedFrom: "2026-11-21T00:00:00.000Z", endedTo: "2026-11-22T00:00:00.000Z" }],
    ["key:a:b", { key: "a:b" }],
    ["type:order", { type: ["order"] }],
    ["status:failed", { status: ["failed"] }],
    ["Status:In-Progress", { status: ["inProgress"] }],
    ["state:charge", { state: "charge" }],
    ["business:B-1", { businessKey: "B-1" }],
    ["external:E-1", { externalId: "E-1" }],
    ["parent:12", { parent: 12 }],
    ["executor:3", { executor: 3 }],
    ["group:default", { group: "default" }],
    ["failure:3f9c", { failure: "3f9c" }],
    ["var:total=12=x", { variable: "total", value: "12=x" }],
    ["created:24h", { createdFrom: "2026-11-20T12:00:00.000Z" }],
    ["ended:15m", { endedFrom: "2026-11-21T11:45:00.000Z" }],
    ["created:2026-11-05", { createdFrom: "2026-11-05T00:00:00.000Z", createdTo: "2026-11-06T00:00:00.000Z" }],
    ["created:2026-11-05..2026-11-07", { createdFrom: "2026-11-05T00:00:00.000Z", createdTo: "2026-11-08T00:00:00.000Z" }],
    ["created:2026-11-05..", { createdFrom: "2026-11-05T00:00:00.000Z" }],
  ])("%s is a filter", (text, filter) => {
    expect(filterOf(text)).toEqual(filter);
  });

  it("adds to a list of the filter, and replaces a single value", () => {
    expect(filterOf("status:paused", { status: ["failed"], state: "a" })).toEqual({ status: ["failed", "paused"], state: "a" });
    expect(filterOf("state:b", { state: "a" })).toEqual({ state: "b" });
    expect(filterOf("created:1h", { createdTo: "2026-01-01T00:00:00Z" })).toEqual({ createdFrom: "2026-11-21T11:00:00.000Z" });
  });

  it.each([
    ["status:broken", "broken"],
    ["status:failed colour:red", "colour"],
    ["colour:red", "colour"],
    ["parent:x", "number"],
    ["created:soon", "24h"],
    ["var:total", "var:total=12.5"],
    ["state:", "state:charge"],
  ])("%s is rejected with the expected form", (text, words) => {
    expect(errorOf(text)).toContain(words);
  });

  it("is valid for each example that is offered", () => {
    for (const { example, word } of tokenNames) {
      expect(errorOf(example)).toBeUndefined();
      expect(example.startsWith(`${word}:`)).toBe(true);
    }
  });
});

describe("chips", () => {
  it("show every part of the filter, and each removes its own", () => {
    const filter: Filter = { type: ["a", "b"], status: ["failed"], key: "k", parent: 2, createdFrom: "x", variable: "v", value: "1" };
    const all = chips(filter, (at) => at);
    expect(all.map(({ label }) => label)).toEqual([
      "type: a",
      "type: b",
      "status: Failed",
      "key: k",
      "parent: 2",
      "created from: x",
      "v = 1",
    ]);
    expect(all[0]?.without.type).toEqual(["b"]);
    expect(all[2]?.without.status).toBeUndefined();
    expect(all[6]?.without).toMatchObject({ variable: undefined, value: undefined, key: "k" });
  });
});

describe("the suggestions", () => {
  it("are names at first, then values", () => {
    expect(suggestions("", []).map(({ text }) => text)).toContain("status:");
    expect(suggestions("st", []).map(({ text }) => text)).toEqual(["status:", "state:"]);
    expect(suggestions("status:f", []).map(({ text }) => text)).toEqual(["status:finished", "status:failed"]);
    expect(suggestions("type:o", ["order", "fan-out"]).map(({ text }) => text)).toEqual(["type:order"]);
    expect(suggestions("state:x", [])).toEqual([]);
    expect(suggestions("Ada status:fa", []).map(({ text }) => text)).toEqual(["Ada status:failed"]);
    expect(suggestions("Ada ", [])).toEqual([]);
    expect(suggestions("type:order 47", [])).toEqual([]);
  });

  it("include the instance itself for a number", () => {
    expect(suggestions("4711", []).map(({ text }) => text)).toEqual(["id:4711", "key:4711"]);
    expect(openedBy("id:4711")).toBe(4711);
    expect(openedBy("id:x")).toBeUndefined();
    expect(openedBy("4711")).toBe(4711);
    expect(openedBy("ORD-1")).toBeUndefined();
  });
});
