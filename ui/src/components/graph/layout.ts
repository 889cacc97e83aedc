import dagre from "@dagrejs/dagre";
import type { Graph } from "./model";

export const nodeHeight = 40;

/** Wide enough for the name in the font of the page, and a number beside it. */
export function nodeWidth(name: string): number {
  return Math.min(260, Math.max(112, 48 + name.length * (name === name.toUpperCase() ? 9 : 7.4)));
}

/** Places the states from top to bottom; answers with the upper left corner of each. */
export function layOutGraph({ nodes, edges }: Graph): Map<string, { x: number; y: number }> {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 36, ranksep: 46, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name } of nodes) graph.setNode(name, { width: nodeWidth(name), height: nodeHeight });
  for (const { from, to, id } of edges) {
    if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to, {}, id);
  }
  dagre.layout(graph);
  return new Map(
    nodes.map(({ name }) => {
      const { x, y } = graph.node(name);
      return [name, { x: x - nodeWidth(name) / 2, y: y - nodeHeight / 2 }];
    }),
  );
}
