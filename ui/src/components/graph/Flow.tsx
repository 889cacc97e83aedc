import {
  BaseEdge,
  Controls,
  EdgeLabelRenderer,
  Handle,
  MarkerType,
  Position,
  ReactFlow,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { Flag, Hand, Hourglass, Play } from "lucide-react";
import { useMemo } from "react";
import type { Status } from "../../api/schema";
import { StatusIcon, statuses } from "../StatusBadge";
import "./graph.css";
import { layOutGraph, nodeHeight, nodeWidth, smooth, type Point } from "./layout";
import { nodeText, type EdgeLook, type Graph, type GraphNode } from "./model";

type StateNode = Node<{ state: GraphNode; selected: boolean }, "state">;
type PathEdge = Edge<{ look: EdgeLook; count: number; points: readonly Point[] }, "path">;

const icons = { start: Play, wait: Hourglass, manual: Hand, end: Flag, normal: null };

function State({ data: { state, selected } }: NodeProps<StateNode>) {
  const Icon = icons[state.type];
  const looks = [
    "state",
    `state-${state.type}`,
    state.current && "state-current",
    !state.visited && "state-unvisited",
    selected && "state-selected",
  ];
  return (
    <div className={looks.filter(Boolean).join(" ")} data-status={state.current} title={nodeText(state)}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {Icon && <Icon size={13} aria-hidden="true" />}
      <span className="state-name">{state.name}</span>
      {statuses
        .filter((status) => (state.counts[status] ?? 0) > 0)
        .map((status: Status) => (
          <span key={status} className={`state-count status-${status}`}>
            <StatusIcon status={status} size={11} />
            {state.counts[status]}
          </span>
        ))}
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

function Path(edge: EdgeProps<PathEdge>) {
  const { look, count, points } = edge.data ?? { look: "declared", count: 0, points: [] };
  const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
  return (
    <>
      <BaseEdge id={edge.id} path={smooth(points)} markerEnd={edge.markerEnd} className={`edge edge-${look}`} />
      {count > 1 && (
        <EdgeLabelRenderer>
          <span
            className={`edge-count edge-count-${look}`}
            style={{ transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)` }}
          >
            {count}×
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

const nodeTypes = { state: State };
const edgeTypes = { path: Path };
const colours: Record<EdgeLook, string> = {
  declared: "var(--line-2)",
  travelled: "var(--accent)",
  failed: "var(--failed)",
  byHand: "var(--manual)",
};

/** Draws the graph; `onSelect` is called with the clicked state. */
export function Flow({
  graph,
  selected,
  onSelect,
}: {
  graph: Graph;
  selected?: string;
  onSelect?: (state: string | undefined) => void;
}) {
  const shape = JSON.stringify([graph.nodes.map((node) => [node.name, nodeWidth(node)]), graph.edges.map(({ id }) => id)]);
  // Counts and looks change often; only a longer number moves the states.
  const { places, routes } = useMemo(() => layOutGraph(graph), [shape]);
  const nodes: StateNode[] = graph.nodes.map((state) => ({
    id: state.name,
    type: "state",
    position: places.get(state.name) ?? { x: 0, y: 0 },
    width: nodeWidth(state),
    height: nodeHeight,
    data: { state, selected: state.name === selected },
    draggable: false,
    connectable: false,
    ariaLabel: nodeText(state),
  }));
  const edges: PathEdge[] = graph.edges.map(({ id, from, to, look, count }) => ({
    id,
    source: from,
    target: to,
    type: "path",
    data: { look, count, points: routes.get(id) ?? [] },
    markerEnd: { type: MarkerType.ArrowClosed, color: colours[look], width: 14, height: 14 },
    zIndex: look === "declared" ? 0 : 1,
    focusable: false,
  }));
  const size = Math.max(...[...places.values()].map(({ y }) => y + nodeHeight), 0);
  const height = Math.min(640, Math.max(220, 32 + size));
  // A graph that is too large to read as a whole starts at the current state, or at the first one.
  const focus = graph.nodes.find(({ current }) => current) ?? graph.nodes[0];
  const fit = size > 3 * height && focus ? { nodes: [{ id: focus.name }], maxZoom: 0.8 } : { maxZoom: 1, padding: 0.06 };
  return (
    <div className="graph" style={{ height }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={fit}
        onlyRenderVisibleElements={size > 3 * height}
        minZoom={0.2}
        maxZoom={1.6}
        nodesDraggable={false}
        nodesConnectable={false}
        elementsSelectable={Boolean(onSelect)}
        zoomOnScroll={false}
        preventScrolling={false}
        onNodeClick={(_, node) => onSelect?.(node.id === selected ? undefined : node.id)}
        onPaneClick={() => onSelect?.(undefined)}
        proOptions={{ hideAttribution: false }}
      >
        <Controls showInteractive={false} position="top-right" />
      </ReactFlow>
    </div>
  );
}
