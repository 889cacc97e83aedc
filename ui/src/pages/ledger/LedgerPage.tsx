import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ledgerQueries } from "../../api/data";
import type { LedgerEntry } from "../../api/schema";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { Table, type Column } from "../../components/Table";
import { AbsoluteTime, Duration } from "../../components/Time";
import { Answer } from "./Answer";
import { stateLooks } from "./explain";
import "./ledger.css";
import { periodText, subjectText } from "./names";
import { ledgerStates, readLedgerSearch, type LedgerSearch } from "./search";

const route = getRouteApi("/period-ledger");
const none = <span className="faint">–</span>;

const columns = (ask: (period: string) => void): Column<LedgerEntry>[] => [
  {
    id: "period",
    head: "Period",
    cell: ({ period }) => (
      <button type="button" className="link-button" title={`Show the result of ${period}`} onClick={() => ask(period)}>
        {periodText(period)}
      </button>
    ),
  },
  { id: "state", head: "State", cell: ({ state }) => <span className={`tag ${stateLooks[state]}`}>{state}</span> },
  {
    id: "by",
    head: "By",
    cell: ({ executionId, holder }) =>
      executionId ? (
        <Link to="/instances/$id" params={{ id: executionId }}>
          {executionId}
        </Link>
      ) : (
        holder || none
      ),
  },
  { id: "attempt", head: "Attempt", align: "right", cell: ({ attempt }) => attempt || none },
  { id: "claimed", head: "Claimed", cell: ({ state, claimed }) => (state === "missed" ? none : <AbsoluteTime at={claimed} />) },
  {
    id: "took",
    head: "Duration",
    cell: ({ state, claimed, ended }) => (ended && state !== "missed" ? <Duration from={claimed} to={ended} /> : none),
  },
  { id: "reason", head: "Reason", grow: true, cell: ({ reason }) => <span className="muted">{reason}</span> },
];

/** The page of the period ledger: the periods of one kind of work, and the result of one period. */
export function LedgerPage() {
  const search = readLedgerSearch(route.useSearch());
  const schedules = useQuery(ledgerQueries.schedules());
  const navigate = useNavigate();
  const go = (next: LedgerSearch) => void navigate({ to: "/period-ledger", search: readLedgerSearch({ ...next }) });
  return (
    <Page
      title="Period ledger"
      subtitle="Periods of recurring work that were done, failed or missed, with the reason."
    >
      <Loaded query={schedules}>
        {({ items }) => {
          const schedule = search.schedule ?? items[0];
          return schedule === undefined ? (
            <EmptyState title="No periods yet">
              Work that runs once a day, week, month or hour records its periods here: triggers with a window, and handlers that
              claim a period.
            </EmptyState>
          ) : (
            <>
              <Controls all={items} search={{ ...search, schedule }} onGo={go} />
              {search.period !== undefined && <Answer schedule={schedule} period={search.period} />}
              <Periods search={{ ...search, schedule }} ask={(period) => go({ ...search, schedule, period })} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

interface ControlProps {
  all: readonly string[];
  search: LedgerSearch;
  onGo: (search: LedgerSearch) => void;
}

function Controls({ all, search, onGo }: ControlProps) {
  const [draft, setDraft] = useState(search);
  const address = JSON.stringify(search);
  const [known, setKnown] = useState(address);
  if (known !== address) {
    setKnown(address);
    setDraft(search);
  }
  const names = all.includes(search.schedule ?? "") ? all : [search.schedule ?? "", ...all];
  const state = draft.state ?? [];
  const text = (name: "from" | "to" | "period", label: string, hint: string) => (
    <label className={name === "period" ? "field ledger-ask" : "field"}>
      <span>
        {label} <span className="faint">{hint}</span>
      </span>
      <input
        value={draft[name] ?? ""}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
      />
    </label>
  );
  return (
    <form
      className="ledger-controls"
      role="search"
      aria-label="Work and periods"
      onSubmit={(event) => {
        event.preventDefault();
        onGo(draft);
      }}
    >
      <label className="field ledger-schedule">
        <span>Work</span>
        <select value={search.schedule} onChange={({ target }) => onGo({ schedule: target.value })}>
          {names.map((name) => (
            <option key={name} value={name} title={name}>
              {subjectText(name)}
            </option>
          ))}
        </select>
      </label>
      {text("period", "Result of", "period")}
      {text("from", "From", "period")}
      {text("to", "Until", "period")}
      <Button type="submit">Search</Button>
      {(search.from || search.to || search.state || search.period) && (
        <Button look="quiet" onClick={() => onGo({ schedule: search.schedule })}>
          Clear filters
        </Button>
      )}
      <fieldset className="ledger-states">
        <legend className="sr-only">States</legend>
        {ledgerStates.map((each) => (
          <label key={each} className="check-label">
            <input
              type="checkbox"
              checked={state.includes(each)}
              onChange={({ target }) =>
                onGo({ ...draft, state: target.checked ? [...state, each] : state.filter((one) => one !== each) })
              }
            />
            {each}
          </label>
        ))}
      </fieldset>
    </form>
  );
}

function Periods({ search, ask }: { search: LedgerSearch; ask: (period: string) => void }) {
  const { period: _, schedule = "", ...filter } = search;
  const paging = usePaging(JSON.stringify({ schedule, ...filter }));
  const periods = useQuery({
    ...ledgerQueries.periods({ schedule, ...filter, limit: 50, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  });
  const title = `Periods of ${subjectText(schedule)}`;
  return (
    <Panel title={title}>
      <Loaded query={periods}>
        {({ items, next }) => (
          <>
            <p className="muted ledger-key">
              Key for the command line: <code>{schedule}</code>
            </p>
            {items.length ? (
              <Table label={title} columns={columns(ask)} rows={items} rowKey={({ period }) => period} />
            ) : (
              <p className="muted">{paging.page ? "No older periods." : "No period matches."}</p>
            )}
            {(next || paging.page > 0) && (
              <div className="panel-paging">
                <PagingFoot paging={paging} next={next}>
                  <span>Newest first</span>
                </PagingFoot>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
