import { describe, expect, it } from "vitest";
import type { DefinitionState } from "../../api/schema";
import { layOutGraph } from "./layout";
import { definitionGraph, nodeText, travelledGraph } from "./model";

const state = (name: string, type: DefinitionState["type"] = "normal"): DefinitionState => ({
  name,
  type,
  maxAttempts: 1,
  counts: {},
});

const order = {
  states: [state("reserve", "start"), state("pay", "wait"), state("ship"), state("gone", "end")],
  transitions: [
    { from: "reserve", to: "pay" },
    { from: "pay", to: "ship" },
    { from: "pay", to: "gone" },
  ],
};

const looks = (graph: ReturnType<typeof travelledGraph>) =>
  Object.fromEntries(graph.edges.map(({ from, to, look, count }) => [`${from}>${to}`, `${look} ${count}`]));

describe("the graph of a definition", () => {
  it("joins declared moves with those that were seen", () => {
    const { edges } = definitionGraph({ ...order, seen: [{ from: "pay", to: "ship", count: 3 }, { from: "ship", to: "gone", count: 1 }, { from: "ship", to: "ship", count: 9 }] });
    expect(edges.map(({ from, to }) => `${from}>${to}`)).toEqual(["reserve>pay", "pay>ship", "pay>gone", "ship>gone"]);
  });
});

describe("the way of an instance", () => {
  it("counts what was taken and marks what was not", () => {
    const graph = travelledGraph(
      order,
      [
        { from: "reserve", to: "pay", type: "stateExecution" },
        { from: "pay", to: "ship", type: "stateExecution" },
        { from: "ship", to: "pay", type: "move" },
        { from: "pay", to: "ship", type: "stateExecution" },
      ],
      "ship",
    );
    expect(looks(graph)).toEqual({
      "reserve>pay": "travelled 1",
      "pay>ship": "travelled 2",
      "pay>gone": "declared 0",
      "ship>pay": "byHand 1",
    });
    expect(graph.nodes.filter(({ visited }) => !visited).map(({ name }) => name)).toEqual(["gone"]);
    expect(graph.nodes.find(({ current }) => current)?.name).toBe("ship");
  });

  it("keeps a failure visible", () => {
    const graph = travelledGraph(
      order,
      [
        { from: "pay", to: "gone", type: "stateExecutionFailed" },
        { from: "pay", to: "gone", type: "stateExecution" },
        { from: "pay", to: "pay", type: "stateExecutionFailed" },
      ],
      "gone",
    );
    expect(looks(graph)["pay>gone"]).toBe("failed 2");
  });

  it("draws states that the definition does not know", () => {
    const graph = travelledGraph(order, [{ from: "reserve", to: "older", type: "move" }], "older");
    expect(graph.nodes.at(-1)).toMatchObject({ name: "older", visited: true, current: true });
    const places = layOutGraph(graph);
    expect(places.size).toBe(graph.nodes.length);
    expect(places.get("pay")!.y).toBeGreaterThan(places.get("reserve")!.y);
  });

  it("says in words what the drawing shows", () => {
    expect(nodeText({ name: "pay", type: "wait", visited: false, current: false, counts: { failed: 2, created: 0 } })).toBe(
      "pay, wait state, not visited, 2 failed",
    );
  });
});
