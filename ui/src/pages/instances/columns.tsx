import { Link } from "@tanstack/react-router";
import type { Instance } from "../../api/schema";
import type { Column } from "../../components/Table";
import { StatusBadge } from "../../components/StatusBadge";
import { shortReason } from "../../components/reason";
import { Duration, RelativeTime } from "../../components/Time";

/** A column of the table of instances. `initial` columns are shown at first, `always` columns cannot be hidden. */
export interface InstanceColumn extends Column<Instance> {
  name: string;
  always?: boolean;
  initial?: boolean;
}

const none = <span className="faint">–</span>;
const text = (value: string | number | null | undefined) => (value === null || value === undefined ? none : value);
/** Returns a name, truncated if it is too long for a column. */
const cut = (value: string | null | undefined) =>
  value ? (
    <span className="cut" title={value}>
      {value}
    </span>
  ) : (
    none
  );

function column(id: string, name: string, cell: InstanceColumn["cell"], more: Partial<InstanceColumn> = {}) {
  return { id, name, head: name, cell, ...more };
}

export const instanceColumns: readonly InstanceColumn[] = [
  column(
    "id",
    "Id",
    ({ id }) => (
      <Link to="/instances/$id" params={{ id }} className="number">
        {id}
      </Link>
    ),
    { always: true, initial: true },
  ),
  column("status", "Status", ({ status }) => <StatusBadge status={status} />, { always: true, initial: true }),
  column("type", "Type", ({ type }) => cut(type), { initial: true }),
  column("state", "State", ({ state }) => cut(state), { initial: true }),
  column("businessKey", "Business key", ({ businessKey }) => cut(businessKey), { initial: true }),
  column(
    "reason",
    "Reason",
    ({ reason }) => (
      <span className="cut" title={reason ?? undefined}>
        {text(reason && shortReason(reason))}
      </span>
    ),
    { initial: true, grow: true },
  ),
  column("created", "Created", ({ created }) => <RelativeTime at={created} />, { initial: true }),
  column("ended", "Ended", ({ ended }) => <RelativeTime at={ended} />),
  column("duration", "Duration", ({ created, ended }) => <Duration from={created} to={ended} />, {
    align: "right",
  }),
  column("nextActivation", "Next activation", ({ nextActivation }) => <RelativeTime at={nextActivation} />, {
    initial: true,
  }),
  column("waitingFor", "Waits for", ({ waitingFor }) => cut(waitingFor)),
  column("attempt", "Attempt", ({ attempt }) => attempt, { align: "right" }),
  column(
    "progress",
    "Progress",
    ({ progress }) => (progress ? `${progress.done}${progress.total ? ` / ${progress.total}` : ""}` : none),
    { align: "right" },
  ),
  column("externalId", "External id", ({ externalId }) => cut(externalId)),
  column(
    "parentId",
    "Parent",
    ({ parentId }) =>
      parentId ? (
        <Link to="/instances/$id" params={{ id: parentId }}>
          {parentId}
        </Link>
      ) : (
        none
      ),
    { align: "right" },
  ),
  column("executorId", "Executor", ({ executorId }) => text(executorId), { align: "right" }),
  column("executorGroup", "Group", ({ executorGroup }) => cut(executorGroup)),
  column("version", "Version", ({ version }) => version, { align: "right" }),
  column("priority", "Priority", ({ priority }) => priority, { align: "right" }),
  column("modified", "Changed", ({ modified }) => <RelativeTime at={modified} />),
];

const initialIds = instanceColumns.filter(({ initial }) => initial).map(({ id }) => id);
export const initialColumns = initialIds.join(",");

/** Returns the chosen columns in their fixed order, including the ones that cannot be hidden. */
export function chosenColumns(choice: string): InstanceColumn[] {
  const ids = new Set(choice.split(","));
  return instanceColumns.filter(({ id, always }) => always || ids.has(id));
}

export function toggled(choice: string, id: string, on: boolean): string {
  const ids = choice.split(",").filter((one) => one && one !== id);
  return (on ? [...ids, id] : ids).join(",");
}
