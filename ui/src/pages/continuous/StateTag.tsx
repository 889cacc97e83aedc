import type { ContinuousWorkflow } from "../../api/schema";
import { stateWords } from "./words";

const asked: Record<string, string> = { restart: "to be restarted", move: "to be moved", continue: "to be continued" };

/** What it does now, and what its executor is asked to do. */
export function StateTag({ workflow: { state, request, trouble } }: { workflow: ContinuousWorkflow }) {
  const { word, look, meaning } = stateWords[state];
  return (
    <span className="always-state">
      <span className={`tag ${look}`} title={meaning}>
        {word}
      </span>
      {request && <span className="tag">{asked[request.toLowerCase()] ?? request}</span>}
      {trouble.debugUntil && <span className="tag warn">looked into</span>}
    </span>
  );
}
