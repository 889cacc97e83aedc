import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { RegisteredTask } from "../../api/schema";
import { sequenceQueries } from "../../api/sequences";
import { removeTask } from "../../api/taskActions";
import { useMay } from "../../app/session";
import { durationText } from "../../app/time";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { TaskDialog } from "./TaskDialog";
import { TypesPanel } from "./TypesPanel";
import "./tasks.css";

const columns: readonly Column<RegisteredTask>[] = [
  { id: "name", head: "Task", cell: ({ name }) => <strong>{name}</strong> },
  {
    id: "type",
    head: "Type",
    cell: ({ type }) => (
      <Link to="/sequences" search={{ type }}>
        {type}
      </Link>
    ),
  },
  {
    id: "runs",
    head: "State",
    cell: ({ runnable }) =>
      runnable ? <span className="tag good">runnable</span> : <span className="tag bad">not runnable</span>,
  },
  {
    id: "component",
    head: "Component",
    grow: true,
    cell: ({ component, runnable, problem }) => (
      <>
        <code className="task-component" title={component}>
          {component}
        </code>
        {!runnable && problem && <span className="task-problem">{problem}</span>}
      </>
    ),
  },
  {
    id: "channel",
    head: "Channel",
    cell: ({ channel, sharesChannel }) =>
      channel ? (
        <span className="task-channel">
          <code>{channel}</code>
          {sharesChannel && <span className="faint">shared</span>}
        </span>
      ) : (
        <span className="faint">–</span>
      ),
  },
  {
    id: "retries",
    head: "Retries",
    align: "right",
    cell: ({ maxRetries, firstRetryDelayMs }) =>
      maxRetries == null ? (
        <span className="faint" title="The server's default applies">
          default
        </span>
      ) : (
        <span title={firstRetryDelayMs == null ? undefined : `the first after ${durationText(firstRetryDelayMs)}`}>
          {maxRetries}
        </span>
      ),
  },
  {
    id: "timeout",
    head: "Timeout",
    align: "right",
    cell: ({ timeoutMs }) => (timeoutMs == null ? <span className="faint">–</span> : durationText(timeoutMs)),
  },
];

/** The page of the registered tasks and the sequence types. */
export function TasksPage() {
  const may = useMay();
  const tasks = useQuery(sequenceQueries.tasks());
  const types = useQuery(sequenceQueries.types());
  const [editing, setEditing] = useState<RegisteredTask | "new">();
  const [removing, setRemoving] = useState<RegisteredTask>();
  const buttons: Column<RegisteredTask> = {
    id: "buttons",
    head: <span className="sr-only">Change</span>,
    align: "right",
    cell: (task) => (
      <span className="cell-buttons">
        <Button
          look="quiet"
          icon={<Pencil size={14} aria-hidden="true" />}
          aria-label={`Edit the task ${task.name}`}
          title="Edit"
          onClick={() => setEditing(task)}
        />
        <Button
          look="quiet"
          icon={<Trash2 size={14} aria-hidden="true" />}
          aria-label={`Remove the task ${task.name}`}
          title="Remove"
          onClick={() => setRemoving(task)}
        />
      </span>
    ),
  };
  const mayChange = may("PUT /tasks/{name}");
  return (
    <Page
      title="Tasks"
      subtitle="The tasks that sequences consist of, and how each is run."
      actions={
        may("POST /tasks") && (
          <Button look="primary" icon={<Plus size={14} aria-hidden="true" />} onClick={() => setEditing("new")}>
            Register task
          </Button>
        )
      }
    >
      <Panel title="Registered tasks">
        <Loaded query={tasks}>
          {(all) =>
            all.length ? (
              <Table
                label="Registered tasks"
                columns={mayChange ? [...columns, buttons] : columns}
                rows={all.toSorted(inOrder)}
                rowKey={({ id }) => id}
              />
            ) : (
              <EmptyState title="No task is registered" command="millrace tasks add FILE">
                Put a jar with tasks into the folder <code>workflowjar</code>, or register a class of a jar.
              </EmptyState>
            )
          }
        </Loaded>
      </Panel>
      <Loaded query={types}>
        {(all) => <TypesPanel types={all} used={new Set(tasks.data?.map(({ type }) => type))} />}
      </Loaded>
      {editing && (
        <TaskDialog
          task={editing === "new" ? null : (tasks.data?.find(({ id }) => id === editing.id) ?? editing)}
          types={types.data ?? []}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={`Remove the task ${removing.name}`}
          confirm="Remove"
          danger
          withReason={false}
          action={() => removeTask(removing.name)}
          onClose={() => setRemoving(undefined)}
        >
          <p>A task that a sequence contains cannot be removed.</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

function inOrder(one: RegisteredTask, other: RegisteredTask): number {
  return (
    one.type.localeCompare(other.type) || one.dependency - other.dependency || one.name.localeCompare(other.name)
  );
}
