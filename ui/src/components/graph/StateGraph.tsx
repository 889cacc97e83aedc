import { lazy, Suspense } from "react";
import type { Graph } from "./model";

const Flow = lazy(() => import("./Flow"));

/** States and the ways between them. The drawing code is loaded when the first graph is shown. */
export function StateGraph(props: {
  graph: Graph;
  selected?: string;
  onSelect?: (state: string | undefined) => void;
}) {
  return (
    <Suspense fallback={<div className="loading" />}>
      <Flow {...props} />
    </Suspense>
  );
}

/** What the lines of an instance's graph mean. */
export function GraphLegend() {
  return (
    <div className="graph-legend">
      <span>
        <i className="legend-travelled" /> travelled
      </span>
      <span>
        <i className="legend-failed" /> after a failure
      </span>
      <span>
        <i className="legend-byHand" /> moved by an operator
      </span>
      <span>
        <i /> not taken
      </span>
    </div>
  );
}
