import { describe, expect, it } from "vitest";
import { bodyText, RawJson } from "./rawJson";

describe("a body with JSON that a user typed", () => {
  it("holds that text unchanged", () => {
    expect(bodyText({ type: "order", input: new RawJson('{"n":12345678901234567890,"x":1.10}') })).toBe(
      '{"type":"order","input":{"n":12345678901234567890,"x":1.10}}',
    );
  });

  it("holds several, and none", () => {
    expect(bodyText({ set: { a: new RawJson("1"), b: new RawJson('"$1 $&"') } })).toBe('{"set":{"a":1,"b":"$1 $&"}}');
    expect(bodyText({ a: "raw 0" })).toBe('{"a":"raw 0"}');
  });
});
