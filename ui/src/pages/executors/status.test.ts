import { expect, it } from "vitest";
import type { Executor } from "../../api/schema";
import { inOrder, works } from "./status";

it("shows executors with problems first and stopped ones last", () => {
  const executors = (["stopped", "alive", "dead", "draining", "recovered", "late", "cordoned"] as const).map((status, id) => ({
    id,
    status,
  })) as Executor[];
  expect(inOrder(executors).map(({ status }) => status)).toEqual([
    "dead",
    "late",
    "draining",
    "cordoned",
    "alive",
    "recovered",
    "stopped",
  ]);
  expect(executors.filter(works).map(({ status }) => status)).toEqual(["alive", "dead", "draining", "late", "cordoned"]);
});
