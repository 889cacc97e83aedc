import { getRouteApi, Link } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { JobList, Queue } from "../../api/flows";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { countText } from "../../components/number";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/Time";
import { PauseDialog } from "./dialogs";
import "./flows.css";
import { FlowsLoaded } from "./FlowsLoaded";
import { JobTable } from "./JobTable";
import { QueueTags } from "./QueueTags";
import { rateText } from "./row";
import { jobLists } from "./search";
import { useFlows } from "./useFlows";
import { listWords, secondsText } from "./words";

const route = getRouteApi("/flows/$flow/queues/$queue");
const none = <span className="faint">–</span>;

/** The page of one queue: its figures, and its jobs by state. */
export function QueuePage() {
  const { flow, queue: name } = route.useParams();
  const may = useMay()("POST /flows/{flow}/queues/{queue}/pause");
  const flows = useFlows();
  const [asked, setAsked] = useState<Queue>();
  const queue = flows.data?.flows.find((one) => one.name === flow)?.queues.find((one) => one.name === name);
  return (
    <Page
      title={`Queue ${name}`}
      subtitle="A queue of a flow: its jobs by state, and its settings."
      heading={
        <span className="flow-heading">
          <Link to="/flows">Flows</Link>
          <span className="faint" aria-hidden="true">
            /
          </span>
          <Link to="/flows/$flow" params={{ flow }}>
            {flow}
          </Link>
          <span className="faint" aria-hidden="true">
            /
          </span>
          <span>{name}</span>
          {queue && <QueueTags queue={queue} />}
        </span>
      }
      actions={may && queue && <Button onClick={() => setAsked(queue)}>{queue.paused ? "Resume…" : "Pause…"}</Button>}
    >
      <FlowsLoaded query={flows}>
        {() =>
          queue ? (
            <>
              <Facts flow={flow} queue={queue} />
              <Lists key={`${flow} ${name}`} flow={flow} queue={queue} />
            </>
          ) : (
            <EmptyState title={`Flow ${flow} has no queue ${name}`}>
              <Link to="/flows">Show all flows</Link>.
            </EmptyState>
          )
        }
      </FlowsLoaded>
      {asked && <PauseDialog flow={flow} queue={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

function Facts({ flow, queue }: { flow: string; queue: Queue }) {
  const { next, parent, workers, busy, oldestWaitingSeconds, completedPerMinute, failedPerMinute, locksExpiring, expired, pausedBy, pausedSince } = queue;
  const link = (name: string) => (
    <Link to="/flows/$flow/queues/$queue" params={{ flow, queue: name }}>
      {name}
    </Link>
  );
  const facts: [string, ReactNode][] = [
    ["Workers", workers === 0 ? "none" : `${countText(busy)} of ${countText(workers)} busy`],
    ["Done per minute", rateText(completedPerMinute)],
    ["Failed per minute", rateText(failedPerMinute)],
    ["Oldest waiting", oldestWaitingSeconds == null ? none : secondsText(oldestWaitingSeconds)],
    ["Locks expiring soon", countText(locksExpiring)],
    ...(expired > 0 ? [["Expired in the queue", countText(expired)] as [string, ReactNode]] : []),
    ...(pausedSince ? [["Paused", <>{pausedBy && `by ${pausedBy}, `}<RelativeTime at={pausedSince} /></>] as [string, ReactNode]] : []),
    ["Then", next ? link(next) : parent ? "its parent continues" : "ends, unless a result names a queue"],
    ...(parent ? [["Children of", link(parent)] as [string, ReactNode]] : []),
  ];
  return (
    <dl className="facts">
      {facts.map(([what, value]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Lists({ flow, queue }: { flow: string; queue: Queue }) {
  const { list = "waiting" } = route.useSearch();
  const navigate = route.useNavigate();
  const turn = (next: JobList) =>
    void navigate({ search: next === "waiting" ? {} : { list: next }, replace: true, resetScroll: false });
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    tabs.current?.querySelector("[data-state=active]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [list]);
  return (
    <section aria-label="Jobs">
      <Tabs.Root value={list} onValueChange={(next) => turn(next as JobList)}>
        <Tabs.List ref={tabs} className="tab-list" aria-label="Jobs">
          {jobLists.map((each) => (
            <Tabs.Trigger key={each} value={each} className="tab">
              {listWords[each].word}
              <span className={each === "dead" && queue.dead > 0 ? "tag bad" : "tag"}>{countText(queue[each])}</span>
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content key={list} value={list} className="tab-part">
          <JobTable flow={flow} queue={queue} list={list} />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}
