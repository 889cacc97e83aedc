import dagre from "@dagrejs/dagre";
import type { Graph, GraphNode } from "./model";

export const nodeHeight = 40;

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  /** The upper left corner of each state. */
  places: Map<string, Point>;
  /** The bends of each edge by its id, from border to border. */
  routes: Map<string, readonly Point[]>;
}

/** Returns a width that fits the name in the font of the page and the counts beside it. */
export function nodeWidth({ name, counts }: Pick<GraphNode, "name" | "counts">): number {
  const shown = Object.values(counts).filter((count) => count > 0);
  const beside = shown.reduce((sum, count) => sum + 20 + 7 * String(count).length, 0);
  return Math.min(260, Math.max(112, 48 + name.length * (name === name.toUpperCase() ? 9 : 7.4))) + beside;
}

/** Upper limits of dagre's layout: beyond them it takes seconds, with many long edges minutes, and blocks the page. */
const most = { nodes: 120, edges: 240 };

/** Places the states from top to bottom, and routes the edges around them. */
export function layOutGraph(graph: Graph): Layout {
  return graph.nodes.length > most.nodes || graph.edges.length > most.edges ? inRows(graph) : byDagre(graph);
}

/** Places the states in rows by their distance from the start states; edges may cross states. */
function inRows({ nodes, edges }: Graph): Layout {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const entered = new Set(edges.map(({ to }) => to));
  let row = nodes.filter(({ name, type }) => type === "start" || !entered.has(name)).map(({ name }) => name);
  const rows: string[][] = [];
  const seen = new Set(row);
  const byName = new Map(nodes.map((node) => [node.name, node]));
  while (row.length) {
    rows.push(row);
    const reached = row.flatMap((name) => next.get(name) ?? []);
    row = [...new Set(reached)].filter((name) => byName.has(name) && !seen.has(name));
    if (!row.length) row = nodes.filter(({ name }) => !seen.has(name)).map(({ name }) => name);
    for (const name of row) seen.add(name);
  }
  const places = new Map<string, Point>();
  const widthOf = (name: string) => nodeWidth(byName.get(name)!);
  for (const [index, names] of rows.entries()) {
    let x = -names.reduce((sum, name) => sum + widthOf(name) + 36, -36) / 2;
    for (const name of names) {
      places.set(name, { x, y: index * (nodeHeight + 46) });
      x += widthOf(name) + 36;
    }
  }
  const border = (name: string, bottom: number) => {
    const { x, y } = places.get(name)!;
    return { x: x + widthOf(name) / 2, y: y + bottom };
  };
  const drawn = edges.filter(({ from, to }) => byName.has(from) && byName.has(to));
  return {
    places,
    routes: new Map(
      drawn.map(({ id, from, to }) => {
        const start = border(from, nodeHeight);
        const end = border(to, 0);
        return [id, [start, { x: start.x, y: start.y + 23 }, { x: end.x, y: end.y - 23 }, end]];
      }),
    ),
  };
}

function byDagre({ nodes, edges }: Graph): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 36, ranksep: 46, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.name, { width: nodeWidth(node), height: nodeHeight });
  const drawn = edges.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to));
  for (const { from, to, id } of drawn) graph.setEdge(from, to, {}, id);
  dagre.layout(graph);
  return {
    places: new Map(
      nodes.map((node) => {
        const { x, y } = graph.node(node.name);
        return [node.name, { x: x - nodeWidth(node) / 2, y: y - nodeHeight / 2 }];
      }),
    ),
    routes: new Map(drawn.map(({ from, to, id }) => [id, (graph.edge(from, to, id) as { points: Point[] }).points])),
  };
}

/** Returns an SVG path from the first point to the last that turns at the points between. */
export function smooth(points: readonly Point[]): string {
  const text = ({ x, y }: Point) => `${x} ${y}`;
  const [first, ...rest] = points;
  const last = rest.pop();
  if (!first || !last) return "";
  const turns = rest.map((bend, index) => {
    const next = rest[index + 1];
    return `Q ${text(bend)} ${text(next ? { x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2 } : last)}`;
  });
  return [`M ${text(first)}`, ...(turns.length ? turns : [`L ${text(last)}`])].join(" ");
}
