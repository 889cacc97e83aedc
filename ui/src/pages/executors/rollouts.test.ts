import { expect, it } from "vitest";
import type { Executor, Rollout } from "../../api/schema";
import { emptyRollout, nodesOf, open, requestOf, rolloutFaults, steerings } from "./rollouts";

it("can be steered as its phase allows", () => {
  const phases: Rollout["phase"][] = ["queued", "running", "paused", "completed", "aborted", "failed"];
  expect(phases.map((phase) => steerings({ phase }).join("+"))).toEqual(["abort", "pause+abort", "resume+abort", "", "", ""]);
  expect(phases.filter((phase) => open({ phase }))).toEqual(["queued", "running", "paused"]);
});

it("offers the running nodes, each once", () => {
  const executors = [
    { node: "b", host: "h", status: "alive" },
    { node: "", host: "a", status: "cordoned" },
    { node: "b", host: "h", status: "draining" },
    { node: "c", host: "h", status: "stopped" },
    { node: "d", host: "h", status: "dead" },
  ] as Executor[];
  expect(nodesOf(executors)).toEqual(["a", "b"]);
});

it("requests only what was typed", () => {
  expect(requestOf(emptyRollout)).toEqual({});
  expect(requestOf({ nodes: ["a"], grace: "0", minReady: " 5 ", patience: "60" })).toEqual({
    nodes: ["a"],
    graceSeconds: 0,
    minReadySeconds: 5,
    patienceSeconds: 60,
  });
});

it.each([
  [{}, []],
  [{ nodes: [] }, ["nodes"]],
  [{ nodes: ["a"] }, []],
  [{ grace: "-1" }, ["grace"]],
  [{ grace: "86400", minReady: "86401" }, ["minReady"]],
  [{ patience: "0" }, ["patience"]],
  [{ patience: "604800" }, []],
])("finds what is wrong with %j", (part, expected) => {
  expect(Object.keys(rolloutFaults({ ...emptyRollout, ...part }))).toEqual(expected);
});
