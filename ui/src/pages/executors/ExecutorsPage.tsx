import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { cordon, drain } from "../../api/actions";
import { queries } from "../../api/queries";
import type { Executor } from "../../api/schema";
import { useMay } from "../../app/session";
import { durationText, useNow } from "../../app/time";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { Duration, RelativeTime } from "../../components/Time";
import "./executors.css";
import { Recycle } from "./Recycle";
import { Rollouts } from "./Rollouts";
import { inOrder, statusLooks, statusTexts, works } from "./status";

export function ExecutorsPage() {
  const executors = useQuery({ ...queries.executors(), refetchInterval: 5_000 });
  const [draining, setDraining] = useState<Executor>();
  const [cordoning, setCordoning] = useState<Executor>();
  const cards = (some: Executor[]) =>
    some.length > 0 && (
      <ul className="executor-cards">
        {inOrder(some).map((executor) => (
          <Card key={executor.id} executor={executor} onDrain={() => setDraining(executor)} onCordon={() => setCordoning(executor)} />
        ))}
      </ul>
    );
  return (
    <Page
      title="Executors"
      subtitle="The running engines, with their work, their recycles and their rollouts."
    >
      <Loaded query={executors}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="No executors yet" command="millrace server">
              An executor is a running engine with workflow code.
            </EmptyState>
          ) : (
            <>
              {cards(all.filter(works))}
              <Rollouts executors={all} />
              <Recycle />
              {cards(all.filter((executor) => !works(executor)))}
            </>
          )
        }
      </Loaded>
      {draining && (
        <ConfirmDialog
          title={`Drain executor ${draining.id}`}
          action={(reason) => drain(draining.id, reason)}
          confirm="Drain"
          danger
          onClose={() => setDraining(undefined)}
        >
          <p>
            It claims no more work and releases the instances that it has not started. The {draining.runningHandlers} running handlers
            may finish. To use the executor again, restart its process.
          </p>
          {draining.self && <p>This process also serves this page; the page remains available.</p>}
        </ConfirmDialog>
      )}
      {cordoning && <CordonDialog executor={cordoning} onClose={() => setCordoning(undefined)} />}
    </Page>
  );
}

function CordonDialog({ executor: { id, status }, onClose }: { executor: Executor; onClose: () => void }) {
  const [back] = useState(status === "cordoned");
  return (
    <ConfirmDialog
      title={back ? `Uncordon executor ${id}` : `Cordon executor ${id}`}
      action={(reason) => cordon(id, !back, reason)}
      confirm={back ? "Uncordon" : "Cordon"}
      onClose={onClose}
    >
      <p>
        {back
          ? "It claims new work from its next heartbeat on."
          : "From its next heartbeat on it claims no new work. The instances that it holds continue. It stays cordoned until an operator uncordons or drains it."}
      </p>
    </ConfirmDialog>
  );
}

function Card({ executor, onDrain, onCordon }: { executor: Executor; onDrain: () => void; onCordon: () => void }) {
  const may = useMay();
  const { id, host, node, pid, group, status, started, stopped, heartbeat, runningHandlers, concurrency, held, version, types } =
    executor;
  const { heapPercent } = executor;
  const load = concurrency > 0 ? Math.min(1, runningHandlers / concurrency) : 0;
  return (
    <li className={works(executor) ? "card" : "card card-gone"} aria-label={`Executor ${id}`}>
      <header>
        <h2>
          {host} <span className="faint number">{id}</span>
        </h2>
        <span className={`tag ${statusLooks[status]}`} title={statusTexts[status]}>
          {status}
        </span>
        {executor.self && <span className="tag">this server</span>}
        {works(executor) && status !== "draining" && may("POST /executors/{id}/drain") && (
          <span className="cell-buttons">
            <Button onClick={onCordon}>{status === "cordoned" ? "Uncordon" : "Cordon"}</Button>
            <Button onClick={onDrain}>Drain</Button>
          </span>
        )}
      </header>
      {status === "draining" && <Draining executor={executor} />}
      {works(executor) && (
        <div className="load">
          <div
            className="progress"
            role="progressbar"
            aria-label="Handlers running"
            aria-valuenow={runningHandlers}
            aria-valuemax={concurrency}
          >
            <div style={{ width: `${load * 100}%` }} />
          </div>
          <span className="number">
            {runningHandlers} of {concurrency} busy
          </span>
        </div>
      )}
      <dl className="facts">
        <div>
          <dt>Heartbeat</dt>
          <dd>
            <RelativeTime at={heartbeat} />
          </dd>
        </div>
        <div>
          <dt>Holds</dt>
          <dd>
            <Link to="/instances" search={{ executor: id }}>
              {held}
            </Link>
          </dd>
        </div>
        <div>
          <dt>Uptime</dt>
          <dd>
            <Duration from={started} to={stopped ?? (works(executor) ? null : heartbeat)} />
          </dd>
        </div>
        <div>
          <dt>Group</dt>
          <dd>{group}</dd>
        </div>
        <div>
          <dt>Process</dt>
          <dd className="number">{pid}</dd>
        </div>
        {node && node !== host && (
          <div>
            <dt>Node</dt>
            <dd>{node}</dd>
          </div>
        )}
        {heapPercent != null && (
          <div>
            <dt>Heap</dt>
            <dd title="after its last garbage collection">{heapPercent} %</dd>
          </div>
        )}
        {version && (
          <div>
            <dt>Version</dt>
            <dd>{version}</dd>
          </div>
        )}
      </dl>
      {types.length > 0 && (
        <p className="types">
          {types.map((type) => (
            <Link key={type} to="/definitions/$type" params={{ type }} className="tag">
              {type}
            </Link>
          ))}
        </p>
      )}
    </li>
  );
}

function Draining({ executor: { drainBy, drainDeadline } }: { executor: Executor }) {
  const now = useNow();
  const left = drainDeadline ? Date.parse(drainDeadline) - now : null;
  return (
    <p className="draining" role="status">
      Drain requested{drainBy ? ` by ${drainBy}` : ""}.
      {left !== null && (left > 0 ? ` Handlers may run for another ${durationText(left)}.` : " Its handlers are being cancelled.")}
    </p>
  );
}
