import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { ApiError } from "../../api/client";
import { ledgerQueries } from "../../api/data";
import type { LedgerEntry } from "../../api/schema";
import { useNow } from "../../app/time";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { AbsoluteTime } from "../../components/Time";
import { explain, stateLooks } from "./explain";
import { periodText, subjectText } from "./names";

/** A panel with the result of one period. */
export function Answer({ schedule, period }: { schedule: string; period: string }) {
  const entry = useQuery(ledgerQueries.period(schedule, period));
  const unknown = entry.error instanceof ApiError && entry.error.status === 404;
  return (
    <Panel title={`${subjectText(schedule)}: ${periodText(period)}`}>
      {unknown ? <Said entry={null} /> : <Loaded query={entry}>{(found) => <Said entry={found} />}</Loaded>}
    </Panel>
  );
}

function Said({ entry }: { entry: LedgerEntry | null }) {
  const { ran, sentences } = explain(entry, useNow());
  const Icon = ran ? CircleCheck : ran === null ? CircleDashed : CircleX;
  return (
    <div className="ledger-answer" role="status">
      <Icon size={18} aria-hidden="true" className={ran ? "ledger-ran" : ran === null ? "ledger-open" : "ledger-not"} />
      <div>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {entry && (
          <dl className="facts">
            <div>
              <dt>State</dt>
              <dd>
                <span className={`tag ${stateLooks[entry.state]}`}>{entry.state}</span>
              </dd>
            </div>
            {entry.executionId && (
              <div>
                <dt>Execution</dt>
                <dd>
                  <Link to="/instances/$id" params={{ id: entry.executionId }}>
                    {entry.executionId}
                  </Link>
                </dd>
              </div>
            )}
            {entry.executorId && (
              <div>
                <dt>Executor</dt>
                <dd>{entry.executorId}</dd>
              </div>
            )}
            <div>
              <dt>{entry.state === "missed" ? "Recorded" : "Claimed"}</dt>
              <dd>
                <AbsoluteTime at={entry.claimed} />
              </dd>
            </div>
            {entry.leaseUntil && (
              <div>
                <dt>Claim expires</dt>
                <dd>
                  <AbsoluteTime at={entry.leaseUntil} />
                </dd>
              </div>
            )}
            {entry.ended && (
              <div>
                <dt>Ended</dt>
                <dd>
                  <AbsoluteTime at={entry.ended} />
                </dd>
              </div>
            )}
          </dl>
        )}
      </div>
    </div>
  );
}
