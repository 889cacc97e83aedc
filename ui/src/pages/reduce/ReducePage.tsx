import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { resetGroup, reduceQueries } from "../../api/reduce";
import type { ReduceGroup } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { Table, type Column } from "../../components/Table";
import { AbsoluteTime, RelativeTime } from "../../components/Time";
import { useToast } from "../../components/Toast";
import { DryRunPanel } from "./DryRunPanel";
import { ForgetDialog } from "./ForgetDialog";
import { LookUp } from "./LookUp";
import "./reduce.css";
import { readReduceSearch, type ReduceSearch } from "./search";

const route = getRouteApi("/reduce");
const pageSize = 100;

/** The page of reduce groups, which skip records that have not changed. */
export function ReducePage() {
  const search = readReduceSearch(route.useSearch());
  const may = useMay();
  const navigate = useNavigate();
  const paging = usePaging("groups");
  const groups = useQuery(reduceQueries.groups(paging.cursor));
  const [asked, setAsked] = useState<{ what: "reset" | "forget"; group: ReduceGroup }>();
  const go = (next: ReduceSearch) => void navigate({ to: "/reduce", search: readReduceSearch({ ...next }) });
  const close = () => setAsked(undefined);
  const columns = (chosen: string): Column<ReduceGroup>[] => [
    {
      id: "name",
      head: "Group",
      grow: true,
      cell: ({ name }) => (
        <button type="button" className="link-button" aria-pressed={chosen === name} onClick={() => go({ group: name })}>
          {name}
        </button>
      ),
    },
    { id: "committed", head: "Committed", align: "right", cell: ({ committed }) => countText(committed) },
    { id: "pending", head: "In progress", align: "right", cell: ({ pending }) => (pending ? countText(pending) : <span className="faint">0</span>) },
    { id: "generation", head: "Generation", align: "right", cell: ({ generation }) => generation },
    { id: "modified", head: "Last compared", cell: ({ modified }) => <RelativeTime at={modified} /> },
    { id: "created", head: "Created", cell: ({ created }) => <AbsoluteTime at={created} /> },
    {
      id: "actions",
      head: <span className="sr-only">Actions</span>,
      align: "right",
      cell: (group) => (
        <span className="cell-buttons">
          {may("POST /reduce-groups/forget") && (
            <Button aria-label={`Forget keys of ${group.name}`} onClick={() => setAsked({ what: "forget", group })}>
              Forget keys…
            </Button>
          )}
          {may("POST /reduce-groups/reset") && (
            <Button aria-label={`Reset ${group.name}`} onClick={() => setAsked({ what: "reset", group })}>
              Reset…
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <Page
      title="Reduced records"
      subtitle="Groups of processed records, by which handlers get only new and changed ones."
    >
      <Loaded query={groups}>
        {(all) => {
          const chosen = search.group ?? all[0]?.name;
          if (chosen === undefined) {
            return (
              <EmptyState title="No groups yet">
                A handler that uses <code>ctx.reduce("customers")</code> gets only new and changed records. Its group appears here.
              </EmptyState>
            );
          }
          const full = all.length === pageSize;
          return (
            <>
              <Panel title="Groups of records">
                <Table label="Groups of records" columns={columns(chosen)} rows={all} rowKey={({ name }) => name} />
              </Panel>
              {(full || paging.page > 0) && (
                <PagingFoot paging={paging} next={full ? (all.at(-1)?.name ?? null) : null} words={["Back", "More"]}>
                  <span>By name</span>
                </PagingFoot>
              )}
              <LookUp group={chosen} name={search.key} onAsk={(key) => go({ group: chosen, key })} />
              <DryRunPanel key={chosen} group={chosen} />
            </>
          );
        }}
      </Loaded>
      {asked?.what === "reset" && <ResetDialog group={asked.group} onClose={close} />}
      {asked?.what === "forget" && <ForgetDialog group={asked.group.name} onClose={close} />}
    </Page>
  );
}

function ResetDialog({ group: { name, committed, generation }, onClose }: { group: ReduceGroup; onClose: () => void }) {
  const toast = useToast();
  return (
    <ConfirmDialog
      title={`Reset ${name}`}
      action={(reason) => resetGroup(name, reason)}
      confirm="Reset"
      danger
      typed={name}
      onDone={(answer) => toast(`${name} starts generation ${answer.generation}`)}
      onClose={onClose}
    >
      <p>
        All {countText(committed)} records of generation {generation} are forgotten. Each counts as new when it arrives again, and is processed once more.
      </p>
    </ConfirmDialog>
  );
}
