import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { calendarQueries } from "../../api/calendar";
import { quoted } from "../../api/actions";
import type { TaskVisit } from "../../api/schema";
import { one } from "../../app/search";
import { isOutage } from "../../app/trouble";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { ErrorPanel } from "../../components/ErrorPanel";
import { JsonText } from "../../components/JsonText";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { shortReason } from "../../components/reason";
import { SequenceBadge } from "../../components/SequenceBadge";
import { SequenceLink } from "../../components/SequenceLink";
import { Table, type Column } from "../../components/Table";
import { AbsoluteTime, Duration } from "../../components/Time";
import { Filter } from "./Filter";
import "./taskRuns.css";

const route = getRouteApi("/task-runs");

const keyOf = ({ executionId, position, started }: TaskVisit) => `${executionId} ${position} ${started}`;

const columns: Column<TaskVisit>[] = [
  {
    id: "execution",
    head: "Execution",
    cell: ({ executionId }) => (
      <Link to="/instances/$id" params={{ id: executionId }} className="number">
        {executionId}
      </Link>
    ),
  },
  {
    id: "sequence",
    head: "Sequence",
    cell: ({ sequenceId }) => (
      <span className="cut">
        <SequenceLink sequenceId={sequenceId} />
      </span>
    ),
  },
  {
    id: "task",
    head: "Task",
    cell: ({ task, position }) => (
      <span className="cut" title={`${task}, at position ${position}`}>
        <span className="faint number">{position}.</span> {task}
      </span>
    ),
  },
  { id: "status", head: "Status", cell: ({ status, paused }) => <SequenceBadge status={status} paused={paused} /> },
  { id: "started", head: "Start", cell: ({ started }) => <AbsoluteTime at={started} /> },
  { id: "ended", head: "End", cell: ({ started, ended }) => <AbsoluteTime at={ended} after={started} /> },
  {
    id: "duration",
    head: "Duration",
    align: "right",
    cell: ({ started, ended }) => <Duration from={started} to={ended} />,
  },
  { id: "retries", head: "Retries", align: "right", cell: ({ retries }) => retries || <span className="faint">0</span> },
  {
    id: "log",
    head: "Log",
    grow: true,
    cell: ({ log }) => <span className="cut muted">{log && firstLine(log)}</span>,
  },
];

export function TaskRunsPage() {
  const sequenceId = one(route.useSearch().sequenceId);
  const navigate = useNavigate();
  const paging = usePaging(sequenceId ?? "");
  const taskRuns = useQuery({
    ...calendarQueries.taskVisits({ sequenceId, limit: 100, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  const more: Column<TaskVisit> = {
    id: "more",
    head: <span className="sr-only">Log and message</span>,
    cell: (row) => {
      const shown = open.has(keyOf(row));
      const Icon = shown ? ChevronDown : ChevronRight;
      return (
        <Button
          look="quiet"
          icon={<Icon size={14} aria-hidden="true" />}
          className="task-runs-more"
          aria-expanded={shown}
          aria-label={`Log and message of ${row.task}, execution ${row.executionId}`}
          title="Log and message"
          onClick={() => toggle(keyOf(row))}
        />
      );
    },
  };
  const command = ["millrace", "sequences", "history", ...(sequenceId ? [sequenceId] : [])].map(quoted).join(" ");
  return (
    <Page
      title="Task runs"
      subtitle="Each run of a task of a sequence, with its log and its message."
    >
      <Filter
        sequenceId={sequenceId ?? ""}
        onChange={(next) => void navigate({ to: "/task-runs", search: { sequenceId: next || undefined } })}
      />
      {taskRuns.data && taskRuns.error && !isOutage(taskRuns.error) && <ErrorPanel error={taskRuns.error} />}
      <Loaded query={taskRuns}>
        {({ items, next }) =>
          items.length ? (
            <>
              <Panel title="Task runs" className="task-runs-table">
                <Table
                  label="Task runs"
                  columns={[more, ...columns]}
                  rows={items}
                  rowKey={keyOf}
                  below={(row) => open.has(keyOf(row)) && <More row={row} />}
                />
              </Panel>
              <PagingFoot paging={paging} next={next}>
                <span>Newest first</span>
                {open.size > 0 && (
                  <Button look="quiet" onClick={() => setOpen(new Set())}>
                    Close all
                  </Button>
                )}
              </PagingFoot>
            </>
          ) : (
            <EmptyState title={sequenceId ? `No task runs of ${sequenceId}` : "No task runs yet"}>
              Each task that a sequence runs appears here.
            </EmptyState>
          )
        }
      </Loaded>
      <div className="code-line">
        <span className="code-line-name">Command</span>
        <code tabIndex={0}>{command}</code>
        <CopyButton text={command} label="Copy the command" />
      </div>
    </Page>
  );
}

function firstLine(text: string): string {
  return shortReason(text.trimStart().split("\n", 1)[0] ?? "");
}

/** The log of a task run, and its request message. */
function More({ row: { log, requestMessage } }: { row: TaskVisit }) {
  return (
    <div className="task-runs-below">
      <section>
        <h3>Log</h3>
        {log ? (
          <div className="json">
            <pre tabIndex={0} role="region" aria-label="Log">
              {log}
            </pre>
            <CopyButton text={log} label="Copy the log" />
          </div>
        ) : (
          <p className="faint">The log is empty.</p>
        )}
      </section>
      <section>
        <h3>Request message</h3>
        <JsonText json={requestMessage} label="Request message" />
      </section>
    </div>
  );
}
