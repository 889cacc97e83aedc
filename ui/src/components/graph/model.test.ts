import { describe, expect, it } from "vitest";
import type { DefinitionState } from "../../api/schema";
import { layOutGraph, nodeWidth, smooth } from "./layout";
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
  it("joins declared transitions with those that were seen", () => {
    const { edges } = definitionGraph({ ...order, seen: [{ from: "pay", to: "ship", count: 3 }, { from: "ship", to: "gone", count: 1 }, { from: "ship", to: "ship", count: 9 }] });
    expect(edges.map(({ from, to }) => `${from}>${to}`)).toEqual(["reserve>pay", "pay>ship", "pay>gone", "ship>gone"]);
  });
});

describe("the path of an instance", () => {
  it("counts what was taken and marks what was not", () => {
    const graph = travelledGraph(
      order,
      [
        { from: "reserve", to: "pay", type: "stateExecution" },
        { from: "pay", to: "ship", type: "stateExecution" },
        { from: "ship", to: "pay", type: "move" },
        { from: "pay", to: "ship", type: "stateExecution" },
      ],
      { state: "ship", status: "inProgress" },
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
      { state: "gone", status: "finished" },
    );
    expect(looks(graph)["pay>gone"]).toBe("failed 2");
    expect(graph.nodes.find(({ name }) => name === "pay")?.counts).toEqual({ failed: 2 });
  });

  it("draws states that the definition does not know", () => {
    const graph = travelledGraph(order, [{ from: "reserve", to: "older", type: "move" }], {
      state: "older",
      status: "manual",
    });
    expect(graph.nodes.at(-1)).toMatchObject({ name: "older", visited: true, current: "manual" });
    const { places } = layOutGraph(graph);
    expect(places.size).toBe(graph.nodes.length);
    expect(places.get("pay")!.y).toBeGreaterThan(places.get("reserve")!.y);
  });

  it("says in words what the drawing shows", () => {
    expect(nodeText({ name: "pay", type: "wait", visited: false, current: null, counts: { failed: 2, created: 0 } })).toBe(
      "pay, wait state, not visited, 2 failed",
    );
  });
});

describe("the drawing", () => {
  const declared = (from: string, to: string) => ({ id: `${from}>${to}`, from, to, look: "declared" as const, count: 0 });
  const node = (name: string) => ({ name, type: "normal" as const, visited: true, current: null, counts: {} });

  it("leads an edge around the states between its ends", () => {
    const { places, routes } = layOutGraph({
      nodes: ["a", "b", "c"].map(node),
      edges: [declared("a", "b"), declared("b", "c"), declared("a", "c")],
    });
    const route = routes.get("a>c")!;
    const between = places.get("b")!;
    const beside = route.filter(({ y }) => y >= between.y && y <= between.y + 40);
    expect(beside.length).toBeGreaterThan(0);
    for (const { x } of beside) expect(x < between.x || x > between.x + nodeWidth(node("b"))).toBe(true);
  });

  it("is there at once for hundreds of states with long ways between them", () => {
    const nodes = Array.from({ length: 500 }, (_, index) => node(`s${index}`));
    const chain = nodes.slice(1).map(({ name }, index) => declared(`s${index}`, name));
    const back = nodes.map(({ name }, index) => declared(name, `s${499 - (index % 50)}`));
    const lost = { ...node("lost"), type: "end" as const };
    const { places, routes } = layOutGraph({ nodes: [...nodes, lost], edges: [...chain, ...back, declared("lost", "lost")] });
    expect(places.size).toBe(501);
    expect(routes.size).toBe(new Set([...chain, ...back].map(({ id }) => id)).size + 1);
    expect(places.get("s1")!.y).toBeGreaterThan(places.get("s0")!.y);
    expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(501);
  });

  it("leaves room for the counts beside the name", () => {
    expect(nodeWidth({ name: "SHIP", counts: { failed: 32, inProgress: 2 } })).toBeGreaterThan(
      nodeWidth({ name: "SHIP", counts: { failed: 0 } }) + 50,
    );
  });

  it("turns at the bends and ends at the last point", () => {
    expect(smooth([{ x: 0, y: 0 }, { x: 0, y: 9 }])).toBe("M 0 0 L 0 9");
    expect(smooth([{ x: 0, y: 0 }, { x: 0, y: 4 }, { x: 4, y: 8 }, { x: 4, y: 12 }])).toBe("M 0 0 Q 0 4 2 6 Q 4 8 4 12");
    expect(smooth([])).toBe("");
  });
});
