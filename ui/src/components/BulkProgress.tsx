import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, LoaderCircle, TriangleAlert, X } from "lucide-react";
import { queries } from "../api/queries";
import type { BulkRun } from "../api/schema";
import { Button } from "./Button";
import { ReadError } from "./ErrorPanel";
import { countText, instancesText } from "./number";

const doing: Record<string, [string, string]> = {
  retry: ["Retrying", "retried"],
  cancel: ["Cancelling", "cancelled"],
  pause: ["Pausing", "paused"],
  resume: ["Resuming", "resumed"],
  wake: ["Waking", "woken"],
  move: ["Moving", "moved"],
  signal: ["Signaling", "signalled"],
};

/** The progress of a bulk run, updated until the run has ended. */
export function BulkProgress({ id, onDismiss }: { id: number; onDismiss?: () => void }) {
  const run = useQuery({
    ...queries.bulkRun(id),
    refetchInterval: ({ state }) => (state.data?.ended ? false : 1_000),
  });
  if (run.error && !run.data) return <ReadError error={run.error} />;
  if (!run.data) return <div className="bulk" />;
  return <BulkLine run={run.data} onDismiss={onDismiss} />;
}

export function BulkLine({ run, onDismiss }: { run: BulkRun; onDismiss?: () => void }) {
  const { id, action, total, done, succeeded, refused, ended } = run;
  const [present, past] = doing[action] ?? [action, "done"];
  const share = ended ? 100 : total ? Math.min(99, (100 * done) / total) : 0;
  const Icon = !ended ? LoaderCircle : refused ? TriangleAlert : CircleCheck;
  return (
    <div className="bulk" role="status">
      <Icon size={15} aria-hidden="true" className={!ended ? "bulk-runs" : refused ? "bulk-mixed" : "bulk-done"} />
      <span className="number">
        {ended
          ? `${instancesText(succeeded)} ${past}${refused ? `, ${countText(refused)} refused` : ""}`
          : `${present} ${countText(done)} of ${countText(total)}`}
      </span>
      <div
        className="progress"
        role="progressbar"
        aria-label={`${present} instances`}
        aria-valuenow={Math.round(share)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ width: `${share}%` }} />
      </div>
      <Link to="/instances/$id" params={{ id }}>
        run {id}
      </Link>
      {onDismiss && (
        <Button look="quiet" icon={<X size={14} aria-hidden="true" />} aria-label="Dismiss" onClick={onDismiss} />
      )}
      {ended && run.refusals && run.refusals.length > 0 && (
        <details className="bulk-refusals">
          <summary>Why {countText(refused)} refused</summary>
          <ul>
            {run.refusals.map((refusal) => (
              <li key={refusal.id}>
                <Link to="/instances/$id" params={{ id: refusal.id }}>
                  {refusal.id}
                </Link>{" "}
                {refusal.message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
