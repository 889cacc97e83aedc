import type { Definition, DefinitionState, HistoryEntry, Instance, Status, StatusCounts } from "../../api/schema";

export type EdgeLook = "declared" | "travelled" | "failed" | "byHand";

export interface GraphEdge {
  id: string;
  from: string;
  to: string;
  look: EdgeLook;
  /** Number of times the edge was taken. */
  count: number;
}

export interface GraphNode {
  name: string;
  type: DefinitionState["type"];
  visited: boolean;
  /** Status of the instance if it is in this state; null otherwise. */
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

/** Returns the declared transitions and those that instances have made: a state may declare none. */
function knownEdges({ transitions, seen = [] }: Declared): Map<string, GraphEdge> {
  const edges = new Map<string, GraphEdge>();
  for (const { from, to } of [...transitions, ...seen]) {
    if (from !== to) edges.set(key(from, to), { id: key(from, to), from, to, look: "declared", count: 0 });
  }
  return edges;
}

/** Returns the graph with the number of instances in each state. */
export function definitionGraph(definition: Declared): Graph {
  return {
    nodes: definition.states.map(({ name, type, counts }) => ({ name, type, counts, visited: true, current: null })),
    edges: [...knownEdges(definition).values()],
  };
}

/**
 * Returns the graph with the path of one instance. Transitions that are not declared (a move by an operator, a
 * state of another version) are drawn as well, so that the graph shows every history.
 */
export function travelledGraph(
  definition: Declared,
  entries: readonly Pick<HistoryEntry, "from" | "to" | "type">[],
  { state: current, status }: Pick<Instance, "state" | "status">,
): Graph {
  const edges = knownEdges(definition);
  const visited = new Set<string>([current]);
  const failures = new Map<string, number>();
  for (const { from, to, type } of entries) {
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

/** Returns the look of an edge. A failure stays visible even if the same transition also succeeded. */
function lookOf(type: HistoryEntry["type"], before: EdgeLook | undefined): EdgeLook {
  if (type === "stateExecutionFailed" || before === "failed") return "failed";
  return type === "move" && before !== "travelled" ? "byHand" : "travelled";
}

/** Returns the text of a state for its tooltip and for screen readers. */
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
