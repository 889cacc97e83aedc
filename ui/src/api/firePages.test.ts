import { describe, expect, it } from "vitest";
import { fireAsk, fireKey, firePage, justAfter, type FireAsk } from "./firePages";
import type { Fire } from "./schema";

const fire = (slot: string, executionId: number | null, at = slot): Fire => ({
  workflowId: "W",
  slot,
  at,
  executionId,
  outcome: executionId ? "completed" : "skipped",
  trigger: "manual",
  count: 1,
});

const at = (day: number) => `2026-11-${String(day).padStart(2, "0")}T08:00:00Z`;

/** As the server answers: slots before the given one, newest first. */
const server =
  (all: Fire[]) =>
  ({ before, limit }: FireAsk) =>
    all
      .filter(({ slot }) => !before || micros(slot) < micros(before))
      .sort((one, other) => Date.parse(other.slot) - Date.parse(one.slot))
      .slice(0, limit);

const micros = (instant: string) =>
  Date.parse(`${instant.slice(0, 19)}Z`) * 1_000 + Number((/\.(\d+)/.exec(instant)?.[1] ?? "").padEnd(6, "0"));

function pages(all: Fire[], size: number): (number | null | undefined)[][] {
  const found = [];
  let cursor: string | null | undefined;
  do {
    const ask = fireAsk(cursor ?? undefined, size);
    const page = firePage(server(all)(ask), ask);
    found.push(page.rows.map(({ executionId }) => executionId));
    cursor = page.next;
  } while (cursor && found.length < 50);
  return found;
}

describe("pages of fires", () => {
  it("keep the runs of a slot that a page ends in", () => {
    const all = [fire(at(5), 9), fire(at(4), 8), fire(at(4), 7), fire(at(4), 6), fire(at(3), 5)];
    expect(pages(all, 2)).toEqual([[9, 8], [7, 6], [5]]);
    expect(pages(all, 3)).toEqual([[9, 8, 7], [6, 5]]);
  });

  it("go on within a slot that fills whole pages", () => {
    const runs = [7, 6, 5, 4, 3].map((id) => fire(at(4), id));
    expect(pages([...runs, fire(at(3), 2), fire(at(2), 1)], 2)).toEqual([[7, 6], [5, 4], [3, 2], [1]]);
  });

  it("tell fires without an execution apart by when they were decided", () => {
    expect(pages([fire(at(4), null, at(6)), fire(at(4), null, at(5))], 1).flat()).toEqual([null, null]);
  });

  it("end where the answer is not full", () => {
    expect(pages([], 2)).toEqual([[]]);
    expect(pages([fire(at(4), 1)], 2)).toEqual([[1]]);
  });

  it("leave a slot that has more runs than one answer, rather than stay in it", () => {
    const runs = Array.from({ length: 1_100 }, (_, index) => fire(at(4), 2_000 - index));
    const found = pages([...runs, fire(at(3), 1)], 500);
    expect(found.map(({ length }) => length)).toEqual([500, 500, 1]);
    expect(found.at(-1)).toEqual([1]);
  });
});

it.each([
  ["2026-11-22T08:00:00Z", "2026-11-22T08:00:00.000001Z"],
  ["2026-11-22T08:00:00.5Z", "2026-11-22T08:00:00.500001Z"],
  ["2026-11-22T08:00:00.123456Z", "2026-11-22T08:00:00.123457Z"],
  ["2026-12-31T23:59:59.999999Z", "2027-01-01T00:00:00.000000Z"],
])("just after %s is %s", (instant, later) => expect(justAfter(instant)).toBe(later));

it("a slot that was run again by hand is another fire", () => {
  const fire = { workflowId: "w", slot: "2026-11-22T00:00:01Z", outcome: "completed", trigger: "manual", count: 1 } as const;
  const keys = [{ ...fire, executionId: 1 }, { ...fire, executionId: 2 }, { ...fire, at: "2026-11-22T00:00:02Z" }].map(fireKey);
  expect(new Set(keys).size).toBe(3);
});
