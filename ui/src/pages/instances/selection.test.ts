import { describe, expect, it } from "vitest";
import type { Instance } from "../../api/schema";
import { chosenColumns, initialColumns, toggled } from "./columns";
import { filterOf, holdsPage, isChosen, isEmpty, nothing, stepped, toggle, togglePage } from "./selection";

const page = [1, 2, 3].map((id) => ({ id }) as Instance);

describe("selecting instances", () => {
  it("adds and removes", () => {
    const one = toggle(nothing, 2, page);
    expect(isChosen(one, 2)).toBe(true);
    expect(isChosen(one, 1)).toBe(false);
    expect(isEmpty(toggle(one, 2, page))).toBe(true);
  });

  it("selects the page and then nothing", () => {
    const whole = togglePage(toggle(nothing, 2, page), page);
    expect(holdsPage(whole, page)).toBe(true);
    expect(isEmpty(togglePage(whole, page))).toBe(true);
    expect(holdsPage(whole, [])).toBe(false);
  });

  it("falls back to the page when one of all is deselected", () => {
    expect(filterOf(toggle("all", 2, page), {})).toEqual({ ids: [1, 3] });
  });

  it("names the ids in order, or the filter for all", () => {
    expect(filterOf({ ids: new Set([10, 9]) }, { state: "a" })).toEqual({ ids: [9, 10] });
    expect(filterOf("all", { state: "a" })).toEqual({ state: "a" });
  });
});

describe("the keyboard", () => {
  it("stays on its instance when new ones arrive", () => {
    const pushed = [{ id: 9 }, { id: 8 }, ...page] as typeof page;
    expect(stepped(page, undefined, 1)).toBe(1);
    expect(stepped(page, undefined, -1)).toBe(1);
    expect(stepped(page, 1, 1)).toBe(2);
    expect(stepped(pushed, 1, 1)).toBe(2);
    expect(stepped(pushed, 1, -1)).toBe(8);
    expect(stepped(page, 3, 1)).toBe(3);
    expect(stepped([], 3, 1)).toBeUndefined();
  });
});

describe("columns", () => {
  it("keep their order and always have the id and the status", () => {
    expect(chosenColumns("priority,created").map(({ id }) => id)).toEqual(["id", "status", "created", "priority"]);
    expect(chosenColumns("").map(({ id }) => id)).toEqual(["id", "status"]);
  });

  it("are added and removed", () => {
    expect(toggled("a,b", "a", false)).toBe("b");
    expect(toggled("a,b", "c", true)).toBe("a,b,c");
    expect(toggled("", "c", true)).toBe("c");
    expect(chosenColumns(initialColumns).length).toBeGreaterThan(5);
  });
});
