import type { Action, Definition, DefinitionState, Instance, Status, StatusCounts } from "../../api/schema";

export type EdgeLook = "declared" | "travelled" | "failed" | "byHand";

export interface GraphEdge {
  id: string;
  from: string;
  to: string;
  look: EdgeLook;
  /** How often it was taken. */
  count: number;
}

export interface GraphNode {
  name: string;
  type: DefinitionState["type"];
  visited: boolean;
  /** The status of the instance that is in it; null when it is elsewhere. */
  current: Status | null;
  /** Instances by status; in the graph of one instance, attempts that failed. */
  counts: StatusCounts;
}

export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

const key = (from: string, to: string) => JSON.stringify([from, to]);

type Declared = Pick<Definition, "states" | "transitions" | "seen">;

/** Declared moves, and those that instances have made: a state without declared ones may go everywhere. */
function knownEdges({ transitions, seen = [] }: Declared): Map<string, GraphEdge> {
  const edges = new Map<string, GraphEdge>();
  for (const { from, to } of [...transitions, ...seen]) {
    if (from !== to) edges.set(key(from, to), { id: key(from, to), from, to, look: "declared", count: 0 });
  }
  return edges;
}

/** The graph with how many instances are in each state. */
export function definitionGraph(definition: Declared): Graph {
  return {
    nodes: definition.states.map(({ name, type, counts }) => ({ name, type, counts, visited: true, current: null })),
    edges: [...knownEdges(definition).values()],
  };
}

/**
 * The graph with the way that one instance took. What it did beyond the declaration - a move by an
 * operator, a state of another version - is drawn as well, so that no odd history blanks it.
 */
export function travelledGraph(
  definition: Declared,
  actions: readonly Pick<Action, "from" | "to" | "type">[],
  { state: current, status }: Pick<Instance, "state" | "status">,
): Graph {
  const edges = knownEdges(definition);
  const visited = new Set<string>([current]);
  const failures = new Map<string, number>();
  for (const { from, to, type } of actions) {
    visited.add(from).add(to);
    if (type === "stateExecutionFailed") failures.set(from, (failures.get(from) ?? 0) + 1);
    if (from === to) continue;
    const id = key(from, to);
    const before = edges.get(id);
    edges.set(id, { id, from, to, look: lookOf(type, before?.look), count: (before?.count ?? 0) + 1 });
  }
  const declared = new Set(definition.states.map(({ name }) => name));
  const foreign = [...visited].filter((name) => name && !declared.has(name));
  return {
    nodes: [
      ...definition.states.map(({ name, type }) => ({ name, type })),
      ...foreign.map((name) => ({ name, type: "normal" as const })),
    ].map(({ name, type }) => ({
      name,
      type,
      counts: { failed: failures.get(name) ?? 0 },
      visited: visited.has(name),
      current: name === current ? status : null,
    })),
    edges: [...edges.values()],
  };
}

/** A failure stays visible however often the way was taken otherwise. */
function lookOf(type: Action["type"], before: EdgeLook | undefined): EdgeLook {
  if (type === "stateExecutionFailed" || before === "failed") return "failed";
  return type === "move" && before !== "travelled" ? "byHand" : "travelled";
}

/** What a screen reader says of a state, and the tooltip. */
export function nodeText({ name, type, visited, current, counts }: GraphNode): string {
  const numbers = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    `${name}, ${type} state`,
    current && "the current one",
    !current && !visited && "not visited",
    ...numbers.map(([status, count]) => `${count} ${status}`),
  ]
    .filter(Boolean)
    .join(", ");
}
