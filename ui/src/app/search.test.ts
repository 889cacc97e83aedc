import { describe, expect, it } from "vitest";
import { among, many, one, parseSearch, positive, writeSearch } from "./search";

describe("the search part of an address", () => {
  it("repeats the name of a list", () => {
    expect(writeSearch({ status: ["failed", "paused"], type: "order" })).toBe("?status=failed&status=paused&type=order");
    expect(parseSearch("?status=failed&status=paused&type=order")).toEqual({ status: ["failed", "paused"], type: "order" });
  });

  it("keeps what needs escaping", () => {
    const search = { value: 'a&b=c "d" é + %', key: "<script>" };
    expect(parseSearch(writeSearch(search))).toEqual(search);
  });

  it("leaves out what is not set", () => {
    expect(writeSearch({ a: undefined, b: null, c: "", d: [] })).toBe("");
  });
});

describe("values of an address", () => {
  it("takes the first of a list as one", () => {
    expect(one(["x", "y"])).toBe("x");
    expect(one("")).toBeUndefined();
  });

  it("keeps only known words of a list, once", () => {
    expect(many(["a", "b", "a", "z"], ["a", "b"])).toEqual(["a", "b"]);
    expect(many(["z"], ["a"])).toBeUndefined();
    expect(many(undefined)).toBeUndefined();
  });

  it.each([
    ["4711", 4711],
    ["0", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["9007199254740993", undefined],
    ["x", undefined],
    [undefined, undefined],
  ])("reads %s as the positive number %s", (text, number) => {
    expect(positive(text)).toBe(number);
  });

  it("takes only allowed words", () => {
    expect(among("24h", ["1h", "24h"])).toBe("24h");
    expect(among("25h", ["1h", "24h"])).toBeUndefined();
  });
});
