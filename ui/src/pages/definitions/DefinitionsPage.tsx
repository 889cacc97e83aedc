import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries";
import type { DefinitionSummary } from "../../api/schema";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { CountLinks } from "./CountLinks";
import { isInternal } from "./internal";

const columns: readonly Column<DefinitionSummary>[] = [
  {
    id: "type",
    head: "Workflow",
    cell: ({ type }) => (
      <Link to="/definitions/$type" params={{ type }} className="cut" title={type}>
        <strong>{type}</strong>
      </Link>
    ),
  },
  {
    id: "version",
    head: "Version",
    align: "right",
    cell: ({ version, versions }) => <span title={`known: ${versions.join(", ")}`}>{version}</span>,
  },
  {
    id: "runnable",
    head: "Code",
    cell: ({ runnable }) =>
      runnable ? <span className="tag good">on a live executor</span> : <span className="tag warn">on no executor</span>,
  },
  { id: "counts", head: "Instances", cell: ({ type, counts }) => <CountLinks type={type} counts={counts} /> },
  {
    id: "description",
    head: "Description",
    grow: true,
    cell: ({ description }) => <span className="muted">{description}</span>,
  },
];

export function DefinitionsPage() {
  const definitions = useQuery(queries.definitions());
  return (
    <Page
      title="Definitions"
      subtitle="The workflow definitions that executors have registered, with the instances of each."
    >
      <Panel title="Workflow definitions">
        <Loaded query={definitions}>
          {(all) => (
            <>
              {all.length > 0 && (
                <Table label="Workflow definitions" columns={columns} rows={all} rowKey={({ type }) => type} />
              )}
              {all.every(({ type }) => isInternal(type)) && (
                <EmptyState title="No workflow definitions yet">
                  An executor registers its definitions when it starts. Put a jar into the folder <code>workflowjar</code>{" "}
                  and restart the server.
                </EmptyState>
              )}
            </>
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}
