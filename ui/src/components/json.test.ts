import { describe, expect, it } from "vitest";
import { compact, isJson, jsonFault, layOut, rowsFor, spread } from "./json";

const text = (json: string) => layOut(json)?.map((token) => token.text).join("");
const bare = (json: string) =>
  layOut(json)
    ?.filter(({ kind }) => kind !== "space")
    .map((token) => token.text)
    .join("");

describe("JSON as text", () => {
  it("keeps numbers as they were written", () => {
    for (const number of ["12345678901234567890", "0.10", "1e400", "-0", "1.0000000000000000001"]) {
      expect(text(number)).toBe(number);
    }
  });

  it("indents", () => {
    expect(text('{"a":[1,{"b":null}],"c":{},"d":[]}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    );
  });

  it("says what is a name, a string, a number and a word", () => {
    expect(layOut('{"a":"b"}')?.map(({ kind }) => kind).filter((kind) => kind !== "space" && kind !== "mark")).toEqual([
      "name",
      "string",
    ]);
    expect(layOut("true")?.[0]?.kind).toBe("word");
    expect(layOut("-1.5")?.[0]?.kind).toBe("number");
  });

  it("keeps strings that look like structure", () => {
    const json = String.raw`{"a{":"},[\"\\","é":"\u0041"}`;
    expect(bare(json)).toBe(json);
  });

  it("loses nothing but white space, whatever the value", () => {
    let seed = 42;
    const random = () => ((seed = (seed * 16807) % 2147483647) / 2147483647);
    const value = (depth: number): unknown => {
      const kind = Math.floor(random() * (depth > 3 ? 4 : 6));
      if (kind === 0) return null;
      if (kind === 1) return random() < 0.5;
      if (kind === 2) return random() * 10 ** Math.floor(random() * 30);
      if (kind === 3) return String.fromCharCode(...Array.from({ length: 6 }, () => Math.floor(random() * 300)));
      const parts = Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1));
      return kind === 4 ? parts : Object.fromEntries(parts.map((part, index) => [`k"${index}\\`, part]));
    };
    for (let round = 0; round < 300; round += 1) {
      const json = JSON.stringify(value(0));
      expect(bare(json)).toBe(json);
      expect(JSON.parse(text(json) ?? "")).toEqual(JSON.parse(json));
    }
  });

  it("answers null for what is not JSON", () => {
    expect(layOut("<b>")).toBeNull();
    expect(layOut("")).toBeNull();
    expect(layOut("NaN")).toBeNull();
    expect(isJson("{}")).toBe(true);
    expect(isJson("{")).toBe(false);
    expect(jsonFault("text")).toContain("quotes");
    expect(jsonFault("12345678901234567890")).toBeNull();
  });
});

describe("JSON in a field", () => {
  it("is sent without its spaces, with its digits and texts", () => {
    expect(compact(' { "a b" : 12345678901234567890 , "c":[ 1.50 , "x  y" ] } ')).toBe(
      '{"a b":12345678901234567890,"c":[1.50,"x  y"]}',
    );
    expect(compact("{oops")).toBe("{oops");
  });

  it("is written in lines, and an object without members not at all", () => {
    expect(spread("{}")).toBe("");
    expect(spread('{"a":{"b":1}}')).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
    expect(compact(spread('{"a":{"b":[1,2]}}'))).toBe('{"a":{"b":[1,2]}}');
  });

  it("has as many lines as it needs, within bounds", () => {
    expect(rowsFor("")).toBe(3);
    expect(rowsFor("1\n2\n3\n4\n5")).toBe(5);
    expect(rowsFor("\n".repeat(50))).toBe(14);
  });
});
