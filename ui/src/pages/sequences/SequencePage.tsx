import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CirclePause, CircleX, RefreshCw } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { SequenceDetail } from "../../api/schema";
import { sequenceQueries } from "../../api/sequences";
import { CopyButton } from "../../components/CopyButton";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { shortReason } from "../../components/reason";
import { SequenceBadge, sequenceMeaning } from "../../components/SequenceBadge";
import { Sparks } from "../../components/Sparks";
import { RelativeTime } from "../../components/Time";
import type { SequenceActionName } from "./actions";
import { Activity } from "./Activity";
import { SequenceDialog } from "./dialogs";
import { Explained } from "./Explained";
import { Slots } from "./Slots";
import { NextRun } from "./NextRun";
import { OpenBackfills } from "./OpenBackfills";
import { restReason, waitsForEnd } from "./rest";
import { HelpingButtons, SequenceActions } from "./SequenceActions";
import { SequenceTasks } from "./SequenceTasks";
import "./sequences.css";

const route = getRouteApi("/sequences/$sequenceId");

export function SequencePage() {
  const { sequenceId } = route.useParams();
  const sequence = useQuery(sequenceQueries.one(sequenceId));
  return sequence.data ? (
    <Shown key={sequenceId} sequence={sequence.data} />
  ) : (
    <Page
      title={sequenceId}
      subtitle="A task sequence: its tasks, its schedule and the result of each slot."
    >
      <Loaded query={sequence}>{() => null}</Loaded>
    </Page>
  );
}

function Shown({ sequence }: { sequence: SequenceDetail }) {
  const { sequenceId, zone = "UTC" } = sequence;
  const [action, setAction] = useState<SequenceActionName>();
  return (
    <Page
      title={sequenceId}
      subtitle="A task sequence: its tasks, its schedule and the result of each slot."
      heading={
        <span className="sequence-heading">
          <span>{sequenceId}</span>
          <SequenceBadge status={sequence.status} paused={sequence.executionPaused} />
          <Activity sequence={sequence} />
          <CopyButton text={window.location.href} label="Copy the link" />
        </span>
      }
      actions={<SequenceActions sequence={sequence} open={setAction} />}
    >
      <State sequence={sequence} open={setAction} />
      <OpenBackfills sequenceId={sequenceId} />
      <Facts sequence={sequence} />
      <div className="sequence-columns">
        <Panel title="Schedule">
          <Explained explanation={sequence.explanation} zone={zone} rests={restReason(sequence)} />
          {sequence.origin && (
            <p className="panel-note muted">
              Registered from <code>{sequence.origin}</code> at each server start, which overwrites changes made here, except
              a pause. Change the file as well.
            </p>
          )}
        </Panel>
        <SequenceTasks sequence={sequence} />
      </div>
      <Slots sequenceId={sequenceId} zone={zone} />
      {action && <SequenceDialog action={action} sequence={sequence} onClose={() => setAction(undefined)} />}
    </Page>
  );
}

/** A notice why the sequence does not continue, with the actions that help; nothing if it has no problem. */
function State({ sequence, open }: { sequence: SequenceDetail; open: (action: SequenceActionName) => void }) {
  const { status, error, pausedBy, pauseReason, currentTask, executionId, executionPaused, problem } = sequence;
  const troubled = status === "ABORTED" || status === "ERROR" || status === "TASK_INITIALIZE_ERROR";
  if (!troubled && !pausedBy && !executionPaused && !problem) return null;
  const Icon = problem ? CircleX : !troubled ? CirclePause : status === "ABORTED" ? CircleX : RefreshCw;
  return (
    <div className={`sequence-state ${status === "ABORTED" ? "sequence-bad" : "sequence-warn"}`}>
      <Icon size={16} className={status === "ABORTED" ? "status-failed" : "status-paused"} aria-hidden="true" />
      <div>
        {problem && <p>{problem}</p>}
        {troubled && (
          <p>
            <strong>{currentTask ? `${currentTask}: ` : ""}</strong>
            {executionPaused && status === "ERROR" ? "A task has failed and would be retried." : sequenceMeaning(status)}
          </p>
        )}
        {troubled && error && error !== problem && <p title={error}>{shortReason(error)}</p>}
        {executionPaused && executionId && (
          <p>
            <Link to="/instances/$id" params={{ id: executionId }}>
              Execution {executionId}
            </Link>{" "}
            is paused{currentTask && ` at ${currentTask}`}
            {waitsForEnd(sequence.schedule) && ", and the schedule waits for its end"}. Resume or cancel the execution.
          </p>
        )}
        {pausedBy && (
          <p>
            The schedule is paused by {pausedBy}
            {pauseReason && `: ${pauseReason}`}
          </p>
        )}
      </div>
      <span className="cell-buttons">
        <HelpingButtons sequence={sequence} open={open} />
      </span>
    </div>
  );
}

function Facts({ sequence }: { sequence: SequenceDetail }) {
  const { type, lastEnded, executionId, recent, recurs } = sequence;
  const facts: [string, ReactNode][] = [
    ["Type", type],
    ["Next run", <NextRun sequence={sequence} />],
    ["Last end", <RelativeTime at={lastEnded} />],
    [
      "Newest execution",
      executionId && (
        <Link to="/instances/$id" params={{ id: executionId }}>
          {executionId}
        </Link>
      ),
    ],
    ["Recurs", !recurs && "no, it ends after its first run"],
    ["Last twenty slots", <Sparks slots={recent} />],
  ];
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
