import { describe, expect, it } from "vitest";
import type { Queue } from "../../api/flows";
import { isQuiet, placeOf, rateText, stagesOf, troublesOf } from "./row";

const queue = (name: string, part: Partial<Queue> = {}): Queue => ({
  ...{ name, flow: "files", waiting: 0, processing: 0, delayed: 0, dead: 0, paused: false, workers: 1, busy: 0 },
  ...{ completedPerMinute: 0, failedPerMinute: 0, locksExpiring: 0, expired: 0 },
  ...part,
});

describe("the row of a flow", () => {
  it("has an arrow where jobs continue by themselves", () => {
    const row = stagesOf([queue("a", { next: "b" }), queue("b", { next: null }), queue("c", { next: "a" })]);
    expect(row.map(({ queue: { name }, onward, jump }) => [name, onward, jump])).toEqual([
      ["a", "next", null],
      ["b", "named", null],
      ["c", null, "a"],
    ]);
  });

  it("has children below their parent, and loses none", () => {
    const row = stagesOf([
      queue("split", { next: "end" }),
      queue("split:part", { parent: "split" }),
      queue("split:sum", { parent: "split", next: null }),
      queue("end"),
      queue("orphan", { parent: "away" }),
    ]);
    expect(row.map(({ queue: { name }, children }) => [name, children.map((child) => child.name)])).toEqual([
      ["split", ["split:part", "split:sum"]],
      ["end", []],
      ["orphan", []],
    ]);
    expect(row[0]?.onward, "children do not interrupt the row").toBe("next");
  });
});

describe("the troubles of a queue", () => {
  it.each<[Partial<Queue>, string[]]>([
    [{}, []],
    [{ waiting: 3, workers: 0 }, ["jobs wait, but no Millrace worker serves the queue"]],
    [{ waiting: 3, workers: 0, paused: true }, []],
    [{ problem: "The list is a hash.", locksExpiring: 1, dead: 1 }, ["The list is a hash.", "1 lock has expired or expires soon"]],
    [{ locksExpiring: 1 }, ["1 lock has expired or expires soon"]],
    [{ locksExpiring: 2, dead: 7 }, ["2 locks have expired or expire soon"]],
  ])("%j are %j", (part, expected) => {
    expect(troublesOf(queue("a", part))).toEqual(expected);
  });
});

it.each([
  [0, "0"],
  [0.4, "0.4"],
  [2, "2"],
  [9.96, "10"],
  [1234.4, "1,234"],
])("writes the rate %s as %s", (rate, text) => {
  expect(rateText(rate)).toBe(text);
});

it("recognizes a flow without workers and jobs", () => {
  const flow = (part: Partial<Queue>) => ({ name: "a", lookup: [], queues: [queue("a", { workers: 0 }), queue("b", { workers: 0, ...part })] });
  expect(isQuiet(flow({}))).toBe(true);
  for (const part of [{ workers: 1 }, { dead: 1 }, { delayed: 1 }, { paused: true }, { problem: "?" }]) expect(isQuiet(flow(part))).toBe(false);
});

it("finds a queue in the flow of the job before that of others", () => {
  const shared = queue("shared");
  const flows = [
    { name: "a", lookup: [], queues: [shared] },
    { name: "b", lookup: [], queues: [shared, queue("b:child")] },
  ];
  expect(placeOf(flows, "b", "shared")?.flow).toBe("b");
  expect(placeOf(flows, "b:child", "b:child")?.flow).toBe("b");
  expect(placeOf(flows, "b", "none")).toBeUndefined();
});
