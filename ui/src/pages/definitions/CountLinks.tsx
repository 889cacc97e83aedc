import { Link } from "@tanstack/react-router";
import type { StatusCounts } from "../../api/schema";
import { countText } from "../../components/number";
import { StatusIcon, statuses, statusWords } from "../../components/StatusBadge";

/** Counts by status, each a link to the list of those instances. */
export function CountLinks({ type, state, counts }: { type: string; state?: string; counts: StatusCounts }) {
  const present = statuses.filter((status) => (counts[status] ?? 0) > 0);
  if (!present.length) return <span className="faint">none open</span>;
  return (
    <span className="count-links">
      {present.map((status) => (
        <Link
          key={status}
          to="/instances"
          search={{ type: [type], state, status: [status] }}
          className="badge number"
          title={statusWords[status]}
        >
          <StatusIcon status={status} size={13} />
          {countText(counts[status] ?? 0)}
          <span className="sr-only">{statusWords[status]}</span>
        </Link>
      ))}
    </span>
  );
}
