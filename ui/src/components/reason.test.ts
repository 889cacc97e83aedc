import { describe, expect, it } from "vitest";
import { shortReason } from "./reason";

describe("a reason in a list", () => {
  it.each([
    ["java.lang.IllegalStateException: no stock", "IllegalStateException: no stock"],
    ["io.millrace.shop.Gateway$TimeoutException: late (not retried: io.millrace.shop.Gateway$TimeoutException)", "TimeoutException: late (not retried: TimeoutException)"],
    ["IllegalStateException: see example.com or a.b", "IllegalStateException: see example.com or a.b"],
    ["no answer from https://a.b.example/Path within 2.5 s", "no answer from https://a.b.example/Path within 2.5 s"],
    ["", ""],
  ])("%s is %s", (reason, short) => {
    expect(shortReason(reason)).toBe(short);
  });
});
