import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { flowQueries, type Flow, type FoundJob } from "../../api/flows";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { JobLink } from "./JobLink";
import { JobStateTag } from "./JobState";
import { readFlowSearch, type FlowSearch } from "./search";
import { usePoll } from "./useFlows";

const route = getRouteApi("/flows/$flow");
const none = <span className="faint">–</span>;

const columns: Column<FoundJob>[] = [
  { id: "id", head: "Job", cell: ({ flow, id }) => <JobLink flow={flow} id={id} /> },
  { id: "state", head: "State", cell: ({ state }) => <JobStateTag state={state} /> },
  { id: "queue", head: "Queue", cell: ({ queue, failedQueue }) => queue ?? failedQueue ?? none },
  { id: "error", head: "Error", grow: true, cell: ({ failedErrorMsg }) => <span className="cut" title={failedErrorMsg ?? undefined}>{failedErrorMsg ?? none}</span> },
  { id: "created", head: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

/** A search for jobs by a lookup field, or for one job by its id. */
export function JobSearch({ flow: { name, lookup } }: { flow: Flow }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const field = search.field ?? lookup[0] ?? "";
  const [text, setText] = useState(search.value ?? "");
  useEffect(() => {
    if (search.value !== undefined) setText(search.value); // for example after the browser's back button
  }, [search.value]);
  const [id, setId] = useState("");
  const go = (next: FlowSearch) => void navigate({ to: "/flows/$flow", params: { flow: name }, search: readFlowSearch({ ...next }) });
  return (
    <Panel title="Jobs">
      <div className="flow-search">
        {lookup.length > 0 && (
          <form
            role="search"
            aria-label="Jobs by a field"
            onSubmit={(event) => {
              event.preventDefault();
              if (text) go({ field, value: text });
            }}
          >
            <label className="field">
              <span>Field</span>
              <select value={field} onChange={({ target }) => go({ field: target.value })}>
                {(lookup.includes(field) ? lookup : [field, ...lookup]).map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
            <label className="field flow-value">
              <span>
                Value <span className="faint">exact</span>
              </span>
              <input value={text} maxLength={1000} autoComplete="off" spellCheck={false} onChange={({ target }) => setText(target.value)} />
            </label>
            <Button type="submit" disabled={!text}>
              Search
            </Button>
          </form>
        )}
        <form
          aria-label="A job by its id"
          onSubmit={(event) => {
            event.preventDefault();
            if (id.trim()) void navigate({ to: "/flows/$flow/jobs/$id", params: { flow: name, id: id.trim() } });
          }}
        >
          <label className="field flow-value">
            <span>Job id</span>
            <input value={id} maxLength={200} autoComplete="off" spellCheck={false} onChange={({ target }) => setId(target.value)} />
          </label>
          <Button type="submit" disabled={!id.trim()}>
            Open
          </Button>
        </form>
      </div>
      {search.value !== undefined && field ? (
        <Found flow={name} field={field} value={search.value} />
      ) : (
        <p className="muted">
          {lookup.length
            ? "Search for jobs by the value of a lookup field, for example all jobs of one file."
            : "The flow has no lookup fields. Its code can declare the fields to search by."}
        </p>
      )}
    </Panel>
  );
}

function Found({ flow, field, value }: { flow: string; field: string; value: string }) {
  const found = useQuery({ ...flowQueries.find(flow, field, value), refetchInterval: usePoll() });
  const label = `Jobs with ${field} = ${value}`;
  return (
    <Loaded query={found}>
      {({ items, next }) =>
        items.length ? (
          <>
            <p role="status" className="muted">
              {next && "More than "}
              {countText(items.length)} {items.length === 1 ? "job has" : "jobs have"} <code>{field}</code> <code>{value}</code>
              {next ? "; the newest are shown." : "."}
            </p>
            <Table label={label} columns={columns} rows={items} rowKey={({ flow: of, id }) => `${of} ${id}`} />
          </>
        ) : (
          <EmptyState title="No matching jobs">
            The whole value must match, including upper and lower case. Expired jobs are gone.
          </EmptyState>
        )
      }
    </Loaded>
  );
}
