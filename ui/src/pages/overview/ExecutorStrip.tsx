import { Link } from "@tanstack/react-router";
import type { Executor } from "../../api/schema";
import { EmptyState } from "../../components/EmptyState";

const looks: Record<Executor["status"], "good" | "warn" | "bad" | "gone"> = {
  alive: "good",
  cordoned: "warn",
  draining: "warn",
  late: "warn",
  dead: "bad",
  recovered: "gone",
  stopped: "gone",
};

/** A box for each executor that should be working, with its status and load. */
export function ExecutorStrip({ executors }: { executors: Executor[] }) {
  const here = executors.filter(({ status }) => looks[status] !== "gone");
  if (here.length === 0) {
    return (
      <EmptyState title="No running executors" command="millrace server">
        No instance runs until a process with workflow code starts.
      </EmptyState>
    );
  }
  return (
    <ul className="executors">
      {here.map(({ id, host, status, runningHandlers, concurrency }) => (
        <li key={id}>
          <Link to="/executors" className={`executor executor-${looks[status]}`} title={`Executor ${id} on ${host}`}>
            <span className="executor-mark" aria-hidden="true" />
            <span className="executor-name">
              {host} <span className="faint">{id}</span>
            </span>
            <span className="executor-state">{status}</span>
            <span className="number executor-load">
              {runningHandlers} / {concurrency}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
