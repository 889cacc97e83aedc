import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries";
import type { Instance } from "../../api/schema";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { StatusBadge } from "../../components/StatusBadge";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";

const columns: readonly Column<Instance>[] = [
  {
    id: "id",
    head: "Id",
    cell: ({ id }) => (
      <Link to="/instances/$id" params={{ id }}>
        {id}
      </Link>
    ),
  },
  { id: "type", head: "Type", cell: ({ type }) => type },
  { id: "status", head: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { id: "state", head: "State", cell: ({ state }) => <span className="mono">{state}</span> },
  { id: "reason", head: "Reason", grow: true, cell: ({ reason }) => <span className="cut">{reason}</span> },
  { id: "created", head: "Started", cell: ({ created }) => <RelativeTime at={created} /> },
];

/** The newest children, with a link to the whole list. */
export function ChildrenTab({ id }: { id: number }) {
  const children = useQuery(queries.instances({ parent: id, limit: 100 }));
  return (
    <Loaded query={children}>
      {({ items, next }) =>
        items.length === 0 ? (
          <EmptyState title="No children">A handler starts children with its result.</EmptyState>
        ) : (
          <>
            <Table label="Children" columns={columns} rows={items} rowKey={({ id: child }) => child} />
            <p className="padded">
              <Link to="/instances" search={{ parent: id }}>
                {next ? "All children in the list" : "Open in the list"}
              </Link>
            </p>
          </>
        )
      }
    </Loaded>
  );
}
