import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { queries, type Range } from "../../api/queries";
import type { Overview } from "../../api/schema";
import { FailureGroups } from "../../components/FailureGroups";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { ProblemList } from "../../components/ProblemList";
import { StatusIcon, statuses, statusWords } from "../../components/StatusBadge";
import { Duration } from "../../components/Time";
import { Charts } from "./Charts";
import { ExecutorStrip } from "./ExecutorStrip";
import { Guide } from "./Guide";
import "./overview.css";

const route = getRouteApi("/");
const ranges: [Range, string][] = [
  ["1h", "last hour"],
  ["24h", "last 24 hours"],
  ["7d", "last 7 days"],
  ["30d", "last 30 days"],
];

export function OverviewPage() {
  const { range = "24h" } = route.useSearch();
  const overview = useQuery({ ...queries.overview(range), placeholderData: keepPreviousData });
  return (
    <Page
      title="Overview"
      subtitle="Instances by status, failures and executors, with the throughput of the selected time."
      actions={
        <div className="button-group" role="group" aria-label="Range of the charts">
          {ranges.map(([name, words]) => (
            <Link
              key={name}
              to="/"
              search={{ range: name }}
              className="button"
              aria-label={`${name}: ${words}`}
              aria-current={name === range ? "true" : undefined}
              activeProps={{}}
            >
              {name}
            </Link>
          ))}
        </div>
      }
    >
      <Guide />
      <Loaded query={overview}>
        {(data) => (
          <Content data={data} range={range} words={ranges.find(([name]) => name === range)?.[1] ?? range} />
        )}
      </Loaded>
    </Page>
  );
}

/** Counts by status: all open and failed instances, and the instances that finished or were cancelled in the range. */
function Counts({ data, range }: { data: Overview; range: Range }) {
  return (
    <nav className="counts" aria-label="Instances by status">
      {statuses.map((status) => {
        const ended = status === "finished" || status === "cancelled";
        const endedFrom = ended ? data.series.from : undefined;
        const count = (ended ? data.ended : data.counts)[status] ?? 0;
        return (
          <Link key={status} to="/instances" search={{ status: [status], endedFrom }} className="count-card">
            <span className="count-name">
              <StatusIcon status={status} />
              {statusWords[status]}
              {ended && <span className="count-range">{range}</span>}
            </span>
            <span className={count ? "count-number" : "count-number faint"}>{countText(count)}</span>
          </Link>
        );
      })}
    </nav>
  );
}

function Content({ data, range, words }: { data: Overview; range: Range; words: string }) {
  const problems = data.problems.filter(({ kind }) => kind !== "failureGroup");
  return (
    <>
      <Counts data={data} range={range} />
      <Charts data={data} words={words} />
      <Panel title="Failure groups" actions={<Link to="/problems">All groups</Link>}>
        <FailureGroups groups={data.failures} />
      </Panel>
      <div className="overview-pair">
        <Panel title="Other problems" actions={<Link to="/problems">All problems</Link>}>
          <ProblemList problems={problems.slice(0, 6)} />
        </Panel>
        <Panel title="Executors" actions={<Link to="/executors">All executors</Link>}>
          <ExecutorStrip executors={data.executors} />
          <p className="oldest">
            {data.oldestDue ? (
              <>
                <b>
                  <Duration from={data.oldestDue} />
                </b>{" "}
                since the longest waiting instance became due
              </>
            ) : (
              "No due instance is waiting"
            )}
          </p>
        </Panel>
      </div>
    </>
  );
}
