import type { UseQueryResult } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { SeenFlows } from "../../api/flows";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { AbsoluteTime, RelativeTime } from "../../components/Time";

/** What a page shows of the flows, or why there are none: no Redis is set, or it is away. */
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

/** What to set. */
export function NoRedis() {
  return (
    <EmptyState title="No Redis is set" command="MILLRACE_REDIS_URI=redis://127.0.0.1:6379 millrace server">
      Flows are lists of jobs in a Redis, which workers in Java and Node.js share. Set <code>redis.uri</code>, as in this command,
      and start the server anew.
    </EmptyState>
  );
}

function Away({ since, problem, old }: { since: number; problem: string | null; old: boolean }) {
  const at = new Date(since).toISOString();
  return (
    <div className="error-panel">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        {/* Without the times, which would be spoken again with every second. */}
        <div role="alert">
          <strong>Redis does not answer</strong>
          {problem && <p>{problem}</p>}
        </div>
        <p>
          It was found to be away at <AbsoluteTime at={at} />, <RelativeTime at={at} />. {old && "The figures below are from before. "}
          Check that it runs, that this server reaches it, and the password in <code>redis.uri</code>.
        </p>
        <p>The page goes on by itself when it is back. Jobs that Redis has written to its disk are not lost; workers wait for it.</p>
      </div>
    </div>
  );
}
