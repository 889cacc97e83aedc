import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useEffect, useState } from "react";
import type { SequenceSummary } from "../../api/schema";
import { sequenceQueries } from "../../api/sequences";
import { useMay } from "../../app/session";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { ScheduleWords } from "../../components/ScheduleWords";
import { SequenceBadge } from "../../components/SequenceBadge";
import { Sparks } from "../../components/Sparks";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { Activity } from "./Activity";
import { Chain } from "./Chain";
import { NextRun } from "./NextRun";
import { readSequenceSearch, type SequenceSearch } from "./search";
import "./sequences.css";

const route = getRouteApi("/sequences");

const columns: readonly Column<SequenceSummary>[] = [
  {
    id: "sequence",
    head: "Sequence",
    cell: ({ sequenceId, type }) => (
      <span className="sequence-name">
        <Link to="/sequences/$sequenceId" params={{ sequenceId }} className="cut" title={sequenceId}>
          <strong>{sequenceId}</strong>
        </Link>
        <span className="faint cut">{type}</span>
      </span>
    ),
  },
  {
    id: "status",
    head: "Status",
    cell: (sequence) => (
      <span className="sequence-status">
        <SequenceBadge status={sequence.status} paused={sequence.executionPaused} />
        <Activity sequence={sequence} />
      </span>
    ),
  },
  { id: "recent", head: "Last twenty slots", cell: ({ recent }) => <Sparks slots={recent} /> },
  {
    id: "plan",
    head: "Tasks and schedule",
    grow: true,
    cell: ({ tasks, words }) => (
      <span className="sequence-plan">
        <Chain tasks={tasks} />
        <span className="muted" title={words}>
          <ScheduleWords words={words} />
        </span>
      </span>
    ),
  },
  {
    id: "runs",
    head: "Next run, last end",
    cell: (sequence) => (
      <span className="sequence-when">
        <NextRun sequence={sequence} relative />
        {sequence.lastEnded && <LastEnd sequence={sequence} />}
      </span>
    ),
  },
];

function LastEnd({ sequence: { lastEnded, executionId } }: { sequence: SequenceSummary }) {
  const told = <RelativeTime at={lastEnded} />;
  return (
    <span className="faint">
      last{" "}
      {executionId ? (
        <Link to="/instances/$id" params={{ id: executionId }}>
          {told}
        </Link>
      ) : (
        told
      )}
    </span>
  );
}

export function SequencesPage() {
  const search = readSequenceSearch({ ...route.useSearch() });
  const paging = usePaging(JSON.stringify(search));
  const sequences = useQuery({
    ...sequenceQueries.list({ ...search, limit: 50, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  });
  const may = useMay();
  return (
    <Page
      title="Sequences"
      subtitle="Lists of tasks that run on a schedule, with their last results and next runs."
      actions={
        may("POST /sequences") && (
          <Link to="/add-sequence" className="button button-primary">
            <Plus size={14} aria-hidden="true" /> Add sequence
          </Link>
        )
      }
    >
      <Filter search={search} />
      <Loaded query={sequences}>
        {({ items, next }) =>
          items.length ? (
            <>
              <Panel title="Task sequences">
                <Table
                  label="Task sequences"
                  columns={columns}
                  rows={items}
                  rowKey={({ sequenceId }) => sequenceId}
                />
              </Panel>
              {(next || paging.page > 0) && (
                <PagingFoot paging={paging} next={next} words={["Back", "More"]}>
                  <span>By id</span>
                </PagingFoot>
              )}
            </>
          ) : Object.keys(search).length ? (
            <EmptyState title="No sequence matches">
              Change the type or the part of the id. <Link to="/sequences">Show all</Link>.
            </EmptyState>
          ) : (
            <EmptyState title="No sequences yet" command="millrace sequences add FILE">
              Tasks run one after another, on a schedule. Register <Link to="/tasks">tasks</Link> first, then add a sequence.
            </EmptyState>
          )
        }
      </Loaded>
    </Page>
  );
}

const patience = 300;

function Filter({ search }: { search: SequenceSearch }) {
  const types = useQuery(sequenceQueries.types());
  const navigate = useNavigate();
  const address = search.text ?? "";
  const [text, setText] = useState(address);
  const [known, setKnown] = useState({ address, applied: address });
  if (known.address !== address) {
    setKnown({ ...known, address });
    // An address that this form has set arrives a moment later, when more may have been typed.
    if (address !== known.applied) setText(address);
  }
  const apply = (next: SequenceSearch) => {
    const wanted = readSequenceSearch({ ...next });
    setKnown({ address, applied: wanted.text ?? "" });
    void navigate({ to: "/sequences", search: wanted, replace: true });
  };
  useEffect(() => {
    if (text.trim() === address) return;
    const timer = setTimeout(() => apply({ ...search, text: text.trim() }), patience);
    return () => clearTimeout(timer);
  });
  const all = types.data ?? [];
  const choices = search.type && !all.includes(search.type) ? [search.type, ...all] : all;
  return (
    <form className="sequence-filter" role="search" aria-label="Sequence filter" onSubmit={(event) => event.preventDefault()}>
      <label className="field">
        <span>Part of the id</span>
        <input type="search" value={text} maxLength={150} onChange={(event) => setText(event.target.value)} />
      </label>
      <label className="field">
        <span>Type</span>
        <select value={search.type ?? ""} onChange={(event) => apply({ ...search, type: event.target.value })}>
          <option value="">all</option>
          {choices.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
    </form>
  );
}
