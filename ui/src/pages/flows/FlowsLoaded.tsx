import type { UseQueryResult } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { SeenFlows } from "../../api/flows";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { AbsoluteTime, RelativeTime } from "../../components/Time";

/** The content of a page about flows, or the reason why there is none: no Redis is configured, or it is unreachable. */
export function FlowsLoaded({ query, children }: { query: UseQueryResult<SeenFlows, Error>; children: (flows: SeenFlows) => ReactNode }) {
  return (
    <Loaded query={query}>
      {(all) =>
        all.configured ? (
          <>
            {all.awaySince !== null && <Away since={all.awaySince} problem={all.problem ?? null} old={all.flows.length > 0} />}
            {(all.awaySince === null || all.flows.length > 0) && children(all)}
          </>
        ) : (
          <NoRedis />
        )
      }
    </Loaded>
  );
}

/** A message that tells how to configure Redis. */
export function NoRedis() {
  return (
    <EmptyState title="No Redis is configured" command="MILLRACE_REDIS_URI=redis://127.0.0.1:6379 millrace server">
      Flows are queues of jobs in Redis, which workers in Java and Node.js share. Set <code>redis.uri</code>, as in this command, and
      restart the server.
    </EmptyState>
  );
}

function Away({ since, problem, old }: { since: number; problem: string | null; old: boolean }) {
  const at = new Date(since).toISOString();
  return (
    <div className="error-panel">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        {/* Without the times, which a screen reader would repeat every second. */}
        <div role="alert">
          <strong>Redis does not answer</strong>
          {problem && <p>{problem}</p>}
        </div>
        <p>
          Redis has been unreachable since <AbsoluteTime at={at} />, <RelativeTime at={at} />. {old && "The figures below are older. "}
          Check that it runs, that this server can reach it, and the password in <code>redis.uri</code>.
        </p>
        <p>The page resumes by itself when Redis is back. Jobs that Redis has written to disk are not lost; workers wait for it.</p>
      </div>
    </div>
  );
}
