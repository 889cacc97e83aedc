import { Link } from "@tanstack/react-router";
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { OpenProblem } from "../api/schema";
import { shortReason } from "./reason";
import { RelativeTime } from "./Time";

const icons = { error: CircleAlert, warning: TriangleAlert, info: Info };

/** A link to the page about a problem; nothing for a problem without a page. */
function Where({ problem }: { problem: OpenProblem }) {
  const { fingerprint, instanceId, executorId, kind } = problem;
  if (fingerprint) {
    return (
      <Link to="/instances" search={{ failure: fingerprint }}>
        Show instances
      </Link>
    );
  }
  if (instanceId) {
    return (
      <Link to="/instances/$id" params={{ id: instanceId }}>
        Show instance {instanceId}
      </Link>
    );
  }
  if (executorId || kind === "noExecutor") return <Link to="/executors">Show executors</Link>;
  if (kind === "redis" || kind === "flow") return <Link to="/flows">Show flows</Link>;
  if (kind === "unknownType") return <Link to="/definitions">Show definitions</Link>;
  return null;
}

/** A list of open problems. */
export function ProblemList({ problems }: { problems: OpenProblem[] }) {
  if (problems.length === 0) {
    return <p className="muted">No other problems. Stuck handlers, dead executors and alerts appear here.</p>;
  }
  return (
    <ul className="problems">
      {problems.map((problem, index) => {
        const Icon = icons[problem.severity];
        return (
          <li key={`${problem.kind} ${problem.title} ${index}`} className={`problem problem-${problem.severity}`}>
            <Icon size={15} aria-hidden="true" />
            <div>
              <strong>
                <span className="sr-only">{problem.severity}: </span>
                {problem.title}
              </strong>
              <p title={problem.detail}>{shortReason(problem.detail)}</p>
            </div>
            <span className="problem-side">
              {problem.since && <RelativeTime at={problem.since} />}
              <Where problem={problem} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
