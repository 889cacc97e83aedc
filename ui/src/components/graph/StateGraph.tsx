import { lazyPart } from "../lazyPart";

/** A graph of states and transitions. The drawing code is loaded when the first graph is shown. */
export const StateGraph = lazyPart(() => import("./Flow"), "Flow");

/** The legend of the edges in the graph of an instance. */
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
