import { describe, expect, it } from "vitest";
import { ApiError, Unreachable } from "../api/client";
import { troubleOf } from "./trouble";

const down = new Unreachable(null);
const query = (data: unknown, error: Error | null, active = true) =>
  ({ isActive: () => active, state: { data, error } }) as Parameters<typeof troubleOf>[0][number];
const refused = (status: number) => new ApiError(status, { type: "about:blank", title: "No", status, detail: "No." });

describe("trouble", () => {
  it("is that something on the screen is old because nobody answers", () => {
    expect(troubleOf([query(1, null), query(2, down)])).toBe(down);
    expect(troubleOf([query(2, refused(503))])?.message).toBe("No.");
  });

  it("is not what has no data, which says so in its place, nor what nobody looks at", () => {
    expect(troubleOf([query(undefined, down), query(1, down, false), query(1, null)])).toBeNull();
  });

  it("is not a refusal", () => {
    expect(troubleOf([query(1, refused(401)), query(1, refused(404))])).toBeNull();
  });
});
