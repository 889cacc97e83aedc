import { describe, expect, it } from "vitest";
import { placeGroups } from "./places";

const sources = import.meta.glob("../pages/**/*Page.tsx", { query: "?raw", import: "default", eager: true }) as Record<string, string>;
const titles = Object.values(sources).flatMap((source) => [...source.matchAll(/<Page\s+title="([^"]+)"/g)].map(([, title]) => title));

describe("the menu", () => {
  it("has four groups, none of them long", () => {
    expect(placeGroups.map(({ name }) => name)).toEqual(["Work", "Schedules", "Streams", "System"]);
    expect(Math.max(...placeGroups.map(({ places }) => places.length))).toBeLessThanOrEqual(6);
  });

  it("calls each page by its title, and each address once", () => {
    const places = placeGroups.flatMap((group) => group.places);
    for (const { name } of places) expect(titles).toContain(name);
    expect(new Set(places.map(({ to }) => to)).size).toBe(places.length);
  });
});
