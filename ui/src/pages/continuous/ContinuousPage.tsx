import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { continuousQueries } from "../../api/continuous";
import type { ContinuousWorkflow } from "../../api/schema";
import { durationText } from "../../app/time";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { useLive } from "../../live/live";
import "./continuous.css";
import { EnableDialog, EnabledSwitch } from "./EnabledSwitch";
import { readContinuousSearch, type ContinuousSearch } from "./search";
import { StateTag } from "./StateTag";
import { reasonText } from "./words";

const route = getRouteApi("/continuous-workflows");
const none = <span className="faint">–</span>;
const pageSize = 50;

/** The list of continuous workflows, with their state and executor. */
export function ContinuousPage() {
  const search = readContinuousSearch(route.useSearch());
  const paging = usePaging(JSON.stringify(search));
  const paused = useLive().state === "paused";
  const workflows = useQuery({
    ...continuousQueries.list({ ...search, after: paging.cursor, limit: pageSize }),
    placeholderData: keepPreviousData,
    refetchInterval: paused ? false : 5_000,
  });
  const [switching, setSwitching] = useState<ContinuousWorkflow>();
  const columns: Column<ContinuousWorkflow>[] = [
    {
      id: "name",
      head: "Name",
      grow: true,
      cell: ({ name }) => (
        <Link to="/continuous-workflows/$name" params={{ name }}>
          {name}
        </Link>
      ),
    },
    { id: "enabled", head: "Enabled", cell: (one) => <EnabledSwitch workflow={one} onAsk={setSwitching} /> },
    { id: "state", head: "State", cell: (one) => <StateTag workflow={one} /> },
    {
      id: "node",
      head: "Executor",
      align: "right",
      cell: ({ executorId }) => (executorId ? <Link to="/executors">{executorId}</Link> : none),
    },
    {
      id: "runs",
      head: "Runs",
      align: "right",
      cell: ({ run }) => (run ? <span title="Runs since it was enabled">{countText(run.generation)}</span> : none),
    },
    { id: "fired", head: "Last event", cell: ({ activity }) => <RelativeTime at={activity.lastFire} /> },
    {
      id: "started",
      head: "Last start",
      cell: ({ run }) =>
        run ? (
          <span className="always-started">
            <RelativeTime at={run.started} /> <span className="muted">{reasonText(run.reason)}</span>
          </span>
        ) : (
          none
        ),
    },
    { id: "down", head: "Downtime in 24 h", align: "right", cell: ({ name }) => <Downtime name={name} /> },
  ];
  return (
    <Page
      title="Continuous workflows"
      subtitle="Workflows that always run: a trigger waits for events, and each event starts an execution."
    >
      <Filter search={search} />
      <Loaded query={workflows}>
        {({ items, next }) =>
          items.length ? (
            <>
              <Panel title="Continuous workflows">
                <Table label="Continuous workflows" columns={columns} rows={items} rowKey={({ name }) => name} />
              </Panel>
              {(next || paging.page > 0) && (
                <PagingFoot paging={paging} next={next} words={["Back", "More"]}>
                  <span>By name</span>
                </PagingFoot>
              )}
            </>
          ) : Object.keys(search).length ? (
            <EmptyState title="No continuous workflow matches" />
          ) : (
            <EmptyState title="No continuous workflows" command="millrace continuous list">
              Continuous workflows in the code of an executor appear here.
            </EmptyState>
          )
        }
      </Loaded>
      {switching && <EnableDialog workflow={switching} onClose={() => setSwitching(undefined)} />}
    </Page>
  );
}

function Downtime({ name }: { name: string }) {
  const { data } = useQuery(continuousQueries.downtime(name));
  if (data === undefined) return none;
  return data === 0 ? <span className="faint">none</span> : <span className="time">{durationText(data)}</span>;
}

function Filter({ search }: { search: ContinuousSearch }) {
  const navigate = useNavigate();
  const [text, setText] = useState(search.text ?? "");
  const apply = (next: ContinuousSearch) =>
    void navigate({ to: "/continuous-workflows", search: readContinuousSearch({ ...search, ...next }) });
  return (
    <form
      className="always-filter"
      role="search"
      aria-label="Continuous workflow filter"
      onSubmit={(event) => {
        event.preventDefault();
        apply({ text });
      }}
    >
      <label className="field">
        <span>Part of the name</span>
        <input value={text} maxLength={200} onChange={({ target }) => setText(target.value)} onBlur={() => apply({ text })} />
      </label>
      <label className="field">
        <span>Enabled</span>
        <select
          value={search.enabled ?? ""}
          onChange={({ target }) => apply({ enabled: target.value as ContinuousSearch["enabled"] })}
        >
          <option value="">all</option>
          <option value="true">enabled</option>
          <option value="false">disabled</option>
        </select>
      </label>
      <label className="check-label">
        <input
          type="checkbox"
          checked={search.unhealthy === "true"}
          onChange={({ target }) => apply({ unhealthy: target.checked ? "true" : undefined })}
        />
        With problems only
      </label>
      <Button type="submit">Search</Button>
    </form>
  );
}
