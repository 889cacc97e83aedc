import type { ContinuousWorkflow } from "../../api/schema";
import { stateWords } from "./words";

const asked: Record<string, string> = { restart: "restart pending", move: "move pending", continue: "continuation pending" };

/** The state of a continuous workflow, and the pending request to its executor. */
export function StateTag({ workflow: { state, request, health } }: { workflow: ContinuousWorkflow }) {
  const { word, look, meaning } = stateWords[state];
  return (
    <span className="always-state">
      <span className={`tag ${look}`} title={meaning}>
        {word}
      </span>
      {request && <span className="tag">{asked[request.toLowerCase()] ?? request}</span>}
      {health.debugUntil && <span className="tag warn">being debugged</span>}
    </span>
  );
}
