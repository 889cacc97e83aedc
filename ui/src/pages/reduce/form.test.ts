import { expect, it } from "vitest";
import { keysFault, linesOf, recordsFault } from "./form";
import { readReduceSearch } from "./search";

it("reads keys by line, each once", () => {
  expect(linesOf(" a \n\nb c\na\r\n")).toEqual(["a", "b c"]);
});

it.each([
  ["", /at least one/],
  ["a", null],
  [Array.from({ length: 1_000 }, (_, index) => index).join("\n"), null],
  [Array.from({ length: 1_001 }, (_, index) => index).join("\n"), /1,001 keys/],
  ["x".repeat(1_001), /1,000 characters/],
])("%# finds what is wrong with keys", (text, expected) => {
  if (expected) expect(keysFault(text)).toMatch(expected);
  else expect(keysFault(text)).toBeNull();
});

it.each([
  ["", /array/],
  ["{}", /array/],
  ["[1,", /./],
  [' [{"id":1}] ', null],
])("finds what is wrong with the records %j", (text, expected) => {
  if (expected) expect(recordsFault(text)).toMatch(expected);
  else expect(recordsFault(text)).toBeNull();
});

it("reads the address", () => {
  expect(readReduceSearch({ group: "customers", key: ["7", "8"], other: "x" })).toEqual({ group: "customers", key: "7" });
});
