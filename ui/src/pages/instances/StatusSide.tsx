import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/client";
import { queries } from "../../api/queries";
import type { Status } from "../../api/schema";
import { cappedText } from "../../components/number";
import { StatusIcon, statuses, statusWords } from "../../components/StatusBadge";
import type { Filter } from "./filter";

const cap = 10_000;

/** Statuses that the overview already counts: of open instances, and failed. */
const inOverview = new Set<Status>(["created", "inProgress", "executing", "paused", "manual", "failed"]);

/**
 * Returns counts by status for the other filters. Without another filter, most counts come from the overview. The
 * others are counted up to a cap, at intervals and not at each change, to spare the database.
 */
function useCounts(filter: Filter): Partial<Record<Status, { count: number; capped: boolean }>> {
  const { status: _, ...rest } = filter;
  const filtered = Object.values(rest).some((value) => value !== undefined);
  const overview = useQuery({ ...queries.overview("24h"), enabled: !filtered });
  const counted = useQueries({
    queries: statuses.map((status) => ({
      queryKey: ["counts", status, rest],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api("GET /instances/count", { query: { ...rest, status: [status], cap }, signal }),
      enabled: filtered || !inOverview.has(status),
      refetchInterval: 20_000,
    })),
  });
  return Object.fromEntries(
    statuses.map((status, index) => {
      if (filtered || !inOverview.has(status)) return [status, counted[index]?.data];
      const counts = overview.data?.counts;
      return [status, counts && { count: counts[status] ?? 0, capped: false }];
    }),
  );
}

export function StatusSide({ filter }: { filter: Filter }) {
  const counts = useCounts(filter);
  const chosen = filter.status ?? [];
  return (
    <nav className="status-side" aria-label="Statuses">
      <Link
        to="/instances"
        search={{ ...filter, status: undefined }}
        className="status-line"
        activeOptions={{ explicitUndefined: true }}
      >
        All
      </Link>
      {statuses.map((status) => {
        const count = counts[status];
        return (
          <Link
            key={status}
            to="/instances"
            search={{ ...filter, status: [status] }}
            className="status-line"
            aria-current={chosen.includes(status) ? "true" : undefined}
            activeProps={{}}
          >
            <StatusIcon status={status} />
            {statusWords[status]}
            <span className="number">{count ? cappedText(count) : ""}</span>
          </Link>
        );
      })}
    </nav>
  );
}
