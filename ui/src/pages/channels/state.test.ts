import { describe, expect, it } from "vitest";
import { limitOf, proposedLimit, unattended } from "./state";

describe("a channel", () => {
  it.each([
    [3, 0, true],
    [0, 0, false],
    [3, 1, false],
    [null, 0, false],
    [3, null, false],
    [undefined, undefined, false],
  ])("with %s waiting and %s consumers: unattended %s", (ready, consumers, expected) => {
    expect(unattended({ ready, consumers })).toBe(expected);
  });

  it.each([
    ["1", 1],
    [" 25 ", 25],
    ["10000", 10_000],
    ["10001", null],
    ["0", null],
    ["-1", null],
    ["1.5", null],
    ["1e3", null],
    ["", null],
  ])("takes %j as the number %s to requeue", (text, limit) => {
    expect(limitOf(text)).toBe(limit);
  });

  it("proposes all dead letters, up to the limit of one call", () => {
    expect([0, 7, 10_000, 25_000].map(proposedLimit)).toEqual([1, 7, 10_000, 10_000]);
  });
});
