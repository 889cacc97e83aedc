import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Check, TriangleAlert } from "lucide-react";
import { Fragment, useState, type ReactNode } from "react";
import { continuousQueries } from "../../api/continuous";
import type { ContinuousWorkflow, ContinuousWorkflowDetail } from "../../api/schema";
import { durationText, useZone } from "../../app/time";
import { JsonText } from "../../components/JsonText";
import { Loaded } from "../../components/Loaded";
import { More } from "../../components/More";
import { countText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { AbsoluteTime, RelativeTime } from "../../components/Time";
import { useLive } from "../../live/live";
import { Actions } from "./Actions";
import { EnableDialog, EnabledSwitch } from "./EnabledSwitch";
import { LogPanel } from "./LogPanel";
import { GenerationBar } from "./GenerationBar";
import { StateTag } from "./StateTag";
import { Unmet } from "./Unmet";
import { reasonText, settingFacts, unhealthy } from "./words";
import "./continuous.css";

const route = getRouteApi("/continuous-workflows/$name");
const none = <span className="faint">–</span>;

/** The page of one continuous workflow: its run, its log and its actions. */
export function WorkflowPage() {
  const { name } = route.useParams();
  const paused = useLive().state === "paused";
  const detail = useQuery({ ...continuousQueries.one(name), refetchInterval: paused ? false : 5_000 });
  return (
    <Page
      title={name}
      subtitle="A continuous workflow: its trigger, its executions and its log."
      heading={
        <span className="always-heading">
          {name} {detail.data && <StateTag workflow={detail.data.workflow} />}
        </span>
      }
      actions={detail.data && <Actions detail={detail.data} />}
    >
      <Loaded query={detail}>
        {(found) => (
          <>
            <Unhealthy workflow={found.workflow} />
            <Facts detail={found} />
            <GenerationBar name={name} />
            <Continuation detail={found} />
            <LogPanel name={name} />
            <Code workflow={found.workflow} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Unhealthy({ workflow }: { workflow: ContinuousWorkflow }) {
  const { error, crashLoop, failures, backOffUntil, downSince } = workflow.health;
  if (!unhealthy(workflow)) return null;
  return (
    <div className="error-panel" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        <strong>{crashLoop ? "The workflow fails repeatedly" : error ? "The workflow has failed" : "The workflow is not running"}</strong>
        {error && <p>{error}</p>}
        <p>
          {failures > 0 && `Failures in a row: ${failures}. `}
          {downSince && (
            <>
              Not running since <AbsoluteTime at={downSince} />.{" "}
            </>
          )}
          {backOffUntil && (
            <>
              Next attempt <RelativeTime at={backOffUntil} />.
            </>
          )}
        </p>
      </div>
    </div>
  );
}

type Fact = [name: string, value: ReactNode];

function Facts({ detail: { workflow, downtimeMs } }: { detail: ContinuousWorkflowDetail }) {
  const [switching, setSwitching] = useState<ContinuousWorkflow>();
  const { type, group, executorId, preferred, epoch, run, activity } = workflow;
  const moves: Fact[] = preferred && preferred !== executorId ? [["Moves to executor", preferred]] : [];
  return (
    <div className="always-facts">
      <FactList
        title="Trigger"
        facts={[
          ["Enabled", <EnabledSwitch key="enabled" workflow={workflow} onAsk={setSwitching} />],
          ["Started", run ? <Started run={run} /> : none],
          ["Runs since enabled", run ? countText(run.generation) : none],
          ["Downtime in 24 h", downtimeMs === 0 ? "none" : durationText(downtimeMs)],
        ]}
      />
      <FactList
        title="Executions"
        facts={[
          ["Running now", activity.executionId ? <Execution id={activity.executionId} /> : "none"],
          ["Last event", <RelativeTime key="event" at={activity.lastFire} />],
          ["Last end", activity.lastEnd ? <LastEnd activity={activity} /> : none],
          ["Ended in this run", countText(activity.iterations)],
          [
            "Started in all runs",
            <Link key="all" to="/instances" search={{ type: [type] }} title={`Instances of ${type}`}>
              {countText(activity.fires)}
            </Link>,
          ],
        ]}
      />
      <FactList
        title="Placement"
        facts={[
          ["Executor", executorId ? <Link to="/executors">{executorId}</Link> : none],
          ...moves,
          ["Executor group", group],
          ["Executors so far", countText(epoch)],
        ]}
      />
      {switching && <EnableDialog workflow={switching} onClose={() => setSwitching(undefined)} />}
    </div>
  );
}

function FactList({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <Panel title={title}>
      <Listed facts={facts} />
    </Panel>
  );
}

function Listed({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="fact-list">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Started({ run: { started, reason } }: { run: NonNullable<ContinuousWorkflow["run"]> }) {
  return (
    <>
      <RelativeTime at={started} /> <span className="muted">({reasonText(reason)})</span>
    </>
  );
}

/** The settings in the code of a workflow, and the position of its trigger. */
function Code({ workflow: { settings, position } }: { workflow: ContinuousWorkflow }) {
  const [zone] = useZone();
  return (
    <Panel title="Settings in its code">
      <Listed facts={settingFacts(settings, zone)} />
      <div className="always-code">
        <More summary="As JSON">
          <JsonText json={settings} label="Settings" />
        </More>
        {position !== null && (
          <More summary="Position of the trigger">
            <JsonText json={position} label="Position" />
          </More>
        )}
      </div>
    </Panel>
  );
}

function LastEnd({ activity: { lastEnd, lastResult } }: { activity: ContinuousWorkflow["activity"] }) {
  return (
    <>
      <RelativeTime at={lastEnd} /> {lastResult && <span className="muted">({lastResult})</span>}
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

/** A panel with the conditions that keep the next run from starting, if any. */
function Continuation({ detail: { unmet, workflow } }: { detail: ContinuousWorkflowDetail }) {
  if (!workflow.enabled) return null;
  return (
    <Panel title="Next run">
      {unmet.length ? (
        <div className="always-unmet">
          <p>The next run cannot start now:</p>
          <Unmet all={unmet} />
        </div>
      ) : (
        <p className="always-met">
          <Check size={14} aria-hidden="true" /> The next run can start now.
        </p>
      )}
    </Panel>
  );
}
