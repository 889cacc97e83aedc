import { describe, expect, it } from "vitest";
import { ApiError, Unreachable } from "../api/client";
import { isSameError, troubleOf } from "./trouble";

const down = new Unreachable(null);
const query = (data: unknown, error: Error | null, active = true) =>
  ({ isActive: () => active, state: { data, error } }) as Parameters<typeof troubleOf>[0][number];
const refused = (status: number) => new ApiError(status, { type: "about:blank", title: "No", status, detail: "No." });

describe("trouble", () => {
  it("is something on the screen that is old because the server does not answer", () => {
    expect(troubleOf([query(1, null), query(2, down)])).toBe(down);
    expect(troubleOf([query(2, refused(503))])?.message).toBe("No.");
  });

  it("is not one part without data, which says so in its place, nor a part that is not shown", () => {
    expect(troubleOf([query(undefined, down), query(1, down, false), query(1, null)])).toBeNull();
    expect(troubleOf([query(undefined, down), query(undefined, down, false)])).toBeNull();
    expect(troubleOf([query(undefined, down), query(undefined, refused(503))])).toBeNull();
  });

  it("is what several parts without data have in common, so that it is said once", () => {
    const one = refused(503);
    expect(troubleOf([query(undefined, one), query(1, null), query(undefined, refused(503))])).toBe(one);
    expect(troubleOf([query(undefined, new Unreachable(1)), query(undefined, down)])).toBeInstanceOf(Unreachable);
    expect(troubleOf([query(undefined, one), query(2, down)])).toBe(down);
  });

  it("stays while the failed request is retried, and goes with the answer", () => {
    const parts = [query(undefined, down), query(undefined, down)];
    const again = () => parts.forEach(({ state }) => Object.assign(state, { error: null }));
    expect(troubleOf(parts)).toBe(down);
    again();
    expect(troubleOf(parts)).toBe(down);
    parts.forEach(({ state }) => Object.assign(state, { data: 1 }));
    expect(troubleOf(parts)).toBeNull();
    parts.forEach(({ state }) => Object.assign(state, { data: undefined }));
    expect(troubleOf(parts)).toBeNull();
  });

  it("is the same for parts whose errors say the same", () => {
    expect(isSameError(new Unreachable(1), down)).toBe(true);
    expect(isSameError(refused(503), refused(503))).toBe(true);
    expect(isSameError(refused(503), refused(500))).toBe(false);
    expect(isSameError(refused(503), down)).toBe(false);
    expect(isSameError(null, null)).toBe(false);
  });

  it("is not a refusal", () => {
    expect(troubleOf([query(1, refused(401)), query(1, refused(404))])).toBeNull();
    expect(troubleOf([query(undefined, refused(404)), query(undefined, refused(404))])).toBeNull();
  });
});
