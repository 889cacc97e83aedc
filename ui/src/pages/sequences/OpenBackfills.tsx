import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries";
import type { Instance } from "../../api/schema";
import { countText } from "../../components/number";
import { StatusBadge } from "../../components/StatusBadge";

const most = 5;

/** The backfills of a sequence that have not ended, with their progress. */
export function OpenBackfills({ sequenceId }: { sequenceId: string }) {
  const open = useQuery(
    queries.instances({
      type: ["millrace-backfill"],
      businessKey: sequenceId,
      status: ["created", "inProgress", "executing", "paused", "manual"],
      limit: most,
    }),
  );
  return <>{open.data?.items.map((instance) => <BackfillLine key={instance.id} instance={instance} />)}</>;
}

function BackfillLine({ instance: { id, status, progress, reason } }: { instance: Instance }) {
  const { done = 0, total = 0 } = progress ?? {};
  const share = total > 0 ? Math.round((100 * done) / total) : 0;
  return (
    <div className="bulk" role="status">
      <StatusBadge status={status} />
      <span className="number">{total > 0 ? `Backfill: ${countText(done)} of ${countText(total)} slots` : "Backfill"}</span>
      <div
        className="progress"
        role="progressbar"
        aria-label="Slots that have run"
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ width: `${share}%` }} />
      </div>
      <Link to="/instances/$id" params={{ id }}>
        instance {id}
      </Link>
      {reason && <span className="muted">{reason}</span>}
    </div>
  );
}
