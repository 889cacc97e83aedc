import { describe, expect, it } from "vitest";
import { fieldFault, inputFields, inputOf } from "./inputForm";

const example =
  '{"number": "M-1", "cents": 12345678901234567890.50, "gift": false, "tags": ["a", {"b": [1]}], "note": null, "a \\"b\\"": {}}';

describe("a form for an input", () => {
  it("has a field for each property, in order, by the kind of its value", () => {
    expect(inputFields(example)?.map(({ name, kind, value }) => [name, kind, value])).toEqual([
      ["number", "text", "M-1"],
      ["cents", "number", "12345678901234567890.50"],
      ["gift", "switch", "false"],
      ["tags", "json", '["a", {"b": [1]}]'],
      ["note", "json", "null"],
      ['a "b"', "json", "{}"],
    ]);
  });

  it("gives the input back with all its digits", () => {
    expect(inputOf(inputFields(example)!)).toBe(example);
  });

  it.each(['"Ada"', "12", "[1, 2]", "{}", "", "{oops", '{"a": 1} 2'])("is none for %s", (text) => {
    expect(inputFields(text)).toBeNull();
  });

  it("says what is wrong with a field", () => {
    const fault = (kind: "text" | "number" | "switch" | "json", value: string) => fieldFault({ name: "a", kind, value });
    expect(fault("number", "twelve")).toBe("Not a number.");
    expect(fault("number", "")).toBe("Not a number.");
    expect(fault("number", " -1.5e3 ")).toBeNull();
    expect(fault("number", "012")).toBe("Not a number.");
    expect(fault("json", "{oops")).toMatch(/^Not JSON/);
    expect(fault("text", "")).toBeNull();
  });
});
