import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import { rolloutQueries, steer, type Steering } from "../../api/rollouts";
import type { Executor, Rollout } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { AbsoluteTime, Duration } from "../../components/Time";
import { useLive } from "../../live/live";
import { OpenRollout } from "./OpenRollout";
import { open, phaseLooks, steeringWords } from "./rollouts";
import { StartRollout } from "./StartRollout";

const columns: Column<Rollout>[] = [
  {
    id: "id",
    head: "Rollout",
    cell: ({ id }) => (
      <Link to="/instances/$id" params={{ id }}>
        {id}
      </Link>
    ),
  },
  { id: "reason", head: "Kind", cell: ({ reason }) => reason },
  { id: "phase", head: "Phase", cell: ({ phase }) => <span className={`tag ${phaseLooks[phase]}`}>{phase}</span> },
  { id: "done", head: "Nodes", align: "right", cell: ({ done, nodes }) => `${done} of ${nodes.length}` },
  { id: "started", head: "Requested", cell: ({ started }) => <AbsoluteTime at={started} /> },
  { id: "took", head: "Duration", cell: ({ started, since }) => <Duration from={started} to={since} /> },
  {
    id: "why",
    head: "Detail",
    grow: true,
    cell: ({ by, why }) => (
      <span>
        {why} <span className="faint">{by}</span>
      </span>
    ),
  },
];

/** The panel of rollouts and recycles, open and past. */
export function Rollouts({ executors }: { executors: readonly Executor[] }) {
  const may = useMay();
  const paused = useLive().state === "paused";
  const rollouts = useQuery({ ...rolloutQueries.list(), refetchInterval: paused ? false : 3_000 });
  const [starting, setStarting] = useState(false);
  const [steering, setSteering] = useState<{ rollout: Rollout; how: Steering }>();
  return (
    <Panel
      title="Rollouts and recycles"
      actions={
        may("POST /rollouts") && (
          <Button icon={<Play size={14} aria-hidden="true" />} onClick={() => setStarting(true)}>
            Start rollout…
          </Button>
        )
      }
    >
      <Loaded query={rollouts}>
        {(all) => {
          const past = all.filter((one) => !open(one));
          return (
            <>
              {all.filter(open).map((one) => (
                <OpenRollout key={one.id} rollout={one} onSteer={(how) => setSteering({ rollout: one, how })} />
              ))}
              {past.length > 0 && <Table label="Past rollouts" columns={columns} rows={past} rowKey={({ id }) => id} />}
              {all.length === 0 && (
                <p className="muted">
                  No rollouts yet. A rollout replaces nodes one after another: each node drains and stops, and the next one follows when its successor is ready.
                </p>
              )}
            </>
          );
        }}
      </Loaded>
      {starting && <StartRollout executors={executors} onClose={() => setStarting(false)} />}
      {steering && (
        <ConfirmDialog
          title={`${steeringWords[steering.how].word} rollout ${steering.rollout.id}`}
          action={(reason) => steer(steering.rollout.id, steering.how, reason)}
          confirm={steeringWords[steering.how].word}
          danger={steering.how === "abort"}
          onClose={() => setSteering(undefined)}
        >
          <p>{steeringWords[steering.how].says}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
