import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { rolloutQueries, type Steering } from "../../api/rollouts";
import type { Rollout, RolloutNode } from "../../api/schema";
import { useMay } from "../../app/session";
import { durationText, useNow } from "../../app/time";
import { Button } from "../../components/Button";
import { RelativeTime } from "../../components/Time";
import { phaseLooks, steerings, steeringWords } from "./rollouts";

/** A rollout that has not ended: its progress, and the node it waits for. */
export function OpenRollout({ rollout, onSteer }: { rollout: Rollout; onSteer: (how: Steering) => void }) {
  const may = useMay()("POST /rollouts");
  const { id, reason, phase, nodes, done, current, by, why, since } = rollout;
  return (
    <section className="rollout" aria-label={`Rollout ${id}`}>
      <header>
        <h3>
          {reason === "recycle" ? "Recycle" : "Rollout"}{" "}
          <Link to="/instances/$id" params={{ id }}>
            {id}
          </Link>
        </h3>
        <span className={`tag ${phaseLooks[phase]}`}>{phase}</span>
        <span className="faint">
          <RelativeTime at={since} />, {by}
        </span>
        {may && (
          <span className="cell-buttons">
            {steerings(rollout).map((how) => (
              <Button key={how} onClick={() => onSteer(how)}>
                {steeringWords[how].word}
              </Button>
            ))}
          </span>
        )}
      </header>
      {nodes.length > 0 && (
        <>
          <div className="load">
            <div className="progress" role="progressbar" aria-label="Nodes replaced" aria-valuenow={done} aria-valuemax={nodes.length}>
              <div style={{ width: `${(done / nodes.length) * 100}%` }} />
            </div>
            <span className="number">
              {done} of {nodes.length} nodes
            </span>
          </div>
          <ol className="rollout-nodes" aria-label="Nodes in their order">
            {nodes.map((node, index) => (
              <li key={node} className={index < done ? "tag good" : node === current?.node ? "tag warn" : "tag"}>
                {node}
                <span className="sr-only">{index < done ? ", replaced" : node === current?.node ? ", being replaced" : ", pending"}</span>
              </li>
            ))}
          </ol>
        </>
      )}
      {why && !current && <p>{why[0]?.toUpperCase() + why.slice(1)}.</p>}
      {current && <Current node={current} />}
    </section>
  );
}

/** The node that is being replaced, and the instances that it still holds. */
function Current({ node: { node, executorId, stage, deadline, held } }: { node: RolloutNode }) {
  const now = useNow();
  const left = deadline ? Date.parse(deadline) - now : null;
  const leaving = stage === "leaving";
  const leasedInstances = useQuery({ ...rolloutQueries.leasedInstances(executorId), enabled: leaving && held > 0, refetchInterval: 3_000 });
  return (
    <div className="rollout-current" role="status">
      <p>
        {leaving
          ? `Node ${node} is draining${held > 0 ? ` and holds ${held} ${held === 1 ? "instance" : "instances"}` : ""}.`
          : `Node ${node} has left. Its successor has not started, or has not been ready for long enough.`}
        {leaving && left !== null && (left > 0 ? ` Handlers may run for another ${durationText(left)}.` : " Its handlers are being cancelled.")}
      </p>
      {leaving && leasedInstances.data && leasedInstances.data.length > 0 && (
        <ul>
          {leasedInstances.data.map(({ instanceId: id, type, state, since }) => (
            <li key={id}>
              <Link to="/instances/$id" params={{ id }}>
                {id}
              </Link>{" "}
              {type} in {state}, since <RelativeTime at={since} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
