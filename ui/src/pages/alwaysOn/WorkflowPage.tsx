import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Check, TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";
import { alwaysOnQueries } from "../../api/alwaysOn";
import type { AlwaysOn, AlwaysOnDetail } from "../../api/schema";
import { durationText } from "../../app/time";
import { JsonText } from "../../components/JsonText";
import { Loaded } from "../../components/Loaded";
import { More } from "../../components/More";
import { countText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { AbsoluteTime, RelativeTime } from "../../components/Time";
import { useLive } from "../../live/live";
import { Deeds } from "./Deeds";
import { DesireDialog, DesireSwitch } from "./Desire";
import { EventList } from "./EventList";
import { GenerationBar } from "./GenerationBar";
import { StateTag } from "./StateTag";
import { Unmet } from "./Unmet";
import { generationText, reasonText, troubled } from "./words";
import "./alwaysOn.css";

const route = getRouteApi("/always-on/$name");
const none = <span className="faint">–</span>;

/** One continuous workflow: its run, what has happened to it, and what can be done. */
export function WorkflowPage() {
  const { name } = route.useParams();
  const paused = useLive().state === "paused";
  const detail = useQuery({ ...alwaysOnQueries.one(name), refetchInterval: paused ? false : 5_000 });
  return (
    <Page
      title={name}
      subtitle="A continuous workflow: its trigger, its executions and its events."
      heading={
        <span className="always-heading">
          {name} {detail.data && <StateTag workflow={detail.data.workflow} />}
        </span>
      }
      actions={detail.data && <Deeds detail={detail.data} />}
    >
      <Loaded query={detail}>
        {(found) => (
          <>
            <Trouble workflow={found.workflow} />
            <Facts detail={found} />
            <GenerationBar name={name} />
            <Continuation detail={found} />
            <EventList name={name} />
            <Panel title="What its code says">
              <div className="always-code">
                <JsonText json={found.workflow.settings} label="Settings" />
                {found.workflow.position !== null && (
                  <More summary="Where its trigger stands">
                    <JsonText json={found.workflow.position} label="Position" />
                  </More>
                )}
              </div>
            </Panel>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Trouble({ workflow }: { workflow: AlwaysOn }) {
  const { error, crashLoop, restarts, backOffUntil, downSince } = workflow.trouble;
  if (!troubled(workflow)) return null;
  return (
    <div className="error-panel" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        <strong>{crashLoop ? "It fails again and again" : error ? "It has failed" : "It does not run"}</strong>
        {error && <p>{error}</p>}
        <p>
          {restarts > 0 && `Failures in a row: ${restarts}. `}
          {downSince && (
            <>
              It has not run since <AbsoluteTime at={downSince} />.{" "}
            </>
          )}
          {backOffUntil && (
            <>
              It is tried again <RelativeTime at={backOffUntil} />.
            </>
          )}
        </p>
      </div>
    </div>
  );
}

function Facts({ detail: { workflow, downtimeMs } }: { detail: AlwaysOnDetail }) {
  const [desiring, setDesiring] = useState<AlwaysOn>();
  const { type, group, executorId, preferred, epoch, run, work } = workflow;
  const facts: [string, ReactNode][] = [
    ["Shall run", <DesireSwitch key="desire" workflow={workflow} onAsk={setDesiring} />],
    ["Executor", executorId ? <Link to="/executors">{executorId}</Link> : none],
    ...(preferred && preferred !== executorId ? [["To be taken by", preferred] as [string, ReactNode]] : []),
    ["Generation", run ? generationText(run) : none],
    ["Run began", run ? <RelativeTime at={run.started} /> : none],
    ["Because", run ? <span title={`${run.mode}, ${run.reason}`}>{reasonText(run.reason)}</span> : none],
    ["Ended in this run", countText(work.iterations)],
    ["Fires of all runs", countText(work.fires)],
    ["Last fire", <RelativeTime key="fire" at={work.lastFire} />],
    ["Last end", work.lastEnd ? <LastEnd work={work} /> : none],
    ["Runs now", work.executionId ? <Execution id={work.executionId} /> : none],
    ["Down in 24 h", downtimeMs === 0 ? "none" : durationText(downtimeMs)],
    ["Executions", <Link key="type" to="/instances" search={{ type: [type] }}>{type}</Link>],
    ["Group", group],
    ["Owners so far", countText(epoch)],
  ];
  return (
    <>
      <dl className="facts">
        {facts.map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {desiring && <DesireDialog workflow={desiring} onClose={() => setDesiring(undefined)} />}
    </>
  );
}

function LastEnd({ work: { lastEnd, lastResult } }: { work: AlwaysOn["work"] }) {
  return (
    <>
      <RelativeTime at={lastEnd} /> {lastResult && <span className="muted">{lastResult}</span>}
    </>
  );
}

function Execution({ id }: { id: number }) {
  return (
    <Link to="/instances/$id" params={{ id }}>
      {id}
    </Link>
  );
}

/** Whether the next generation may begin now, and what stands against it. */
function Continuation({ detail: { unmet, workflow } }: { detail: AlwaysOnDetail }) {
  if (workflow.desired === "off") return null;
  return (
    <Panel title="Continuation">
      {unmet.length ? (
        <div className="always-unmet">
          <p>The next generation cannot begin now:</p>
          <Unmet all={unmet} />
        </div>
      ) : (
        <p className="always-met">
          <Check size={14} aria-hidden="true" /> Nothing keeps the next generation from beginning.
        </p>
      )}
    </Panel>
  );
}
