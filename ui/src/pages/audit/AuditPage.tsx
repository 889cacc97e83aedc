import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import { queries } from "../../api/queries";
import type { AuditEntry } from "../../api/schema";
import { absoluteText, momentOf, useZone, zoneName, type Zone } from "../../app/time";
import { Button } from "../../components/Button";
import { DateInput } from "../../components/DateInput";
import { readDate } from "../../components/dateText";
import { EmptyState } from "../../components/EmptyState";
import { ErrorPanel } from "../../components/ErrorPanel";
import { JsonText } from "../../components/JsonText";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { Table, type Column } from "../../components/Table";
import { AbsoluteTime } from "../../components/Time";
import { saveAudit } from "./export";
import { readAuditSearch, type AuditSearch } from "./search";
import "./audit.css";

const route = getRouteApi("/audit");

const columns: Column<AuditEntry>[] = [
  { id: "at", head: "Time", cell: ({ at }) => <AbsoluteTime at={at} /> },
  { id: "actor", head: "User", cell: ({ actor }) => actor },
  { id: "action", head: "Action", cell: ({ action }) => <span className="tag">{action}</span> },
  {
    id: "target",
    head: "Target",
    cell: ({ instanceId, target }) =>
      instanceId ? (
        <Link to="/instances/$id" params={{ id: instanceId }}>
          instance {instanceId}
        </Link>
      ) : (
        (target ?? <span className="faint">–</span>)
      ),
  },
  { id: "reason", head: "Reason", grow: true, cell: ({ reason }) => reason ?? <span className="faint">–</span> },
  {
    id: "detail",
    head: "Detail",
    cell: ({ detail }) =>
      detail && (
        <details className="audit-detail">
          <summary>Show</summary>
          <JsonText json={detail} label="Detail" />
        </details>
      ),
  },
];

export function AuditPage() {
  const search = readAuditSearch(route.useSearch());
  const paging = usePaging(JSON.stringify(search));
  const audit = useQuery({
    ...queries.audit({ ...search, limit: 100, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  });
  const save = useMutation({ mutationFn: () => saveAudit(search) });
  return (
    <Page
      title="Audit"
      subtitle="The actions of users, with their time, target and reason."
      actions={
        <Button icon={<Download size={14} aria-hidden="true" />} disabled={save.isPending} onClick={() => save.mutate()}>
          {save.isPending ? "Exporting…" : "Export CSV"}
        </Button>
      }
    >
      <AuditFilter search={search} />
      {save.error && <ErrorPanel error={save.error} />}
      <Loaded query={audit}>
        {({ items, next }) =>
          items.length ? (
            <>
              <Panel title="Entries">
                <Table label="Audit entries" columns={columns} rows={items} rowKey={({ id }) => id} />
              </Panel>
              <PagingFoot paging={paging} next={next}>
                <span>Newest first</span>
              </PagingFoot>
            </>
          ) : (
            <EmptyState title="No entries" command="millrace audit">
              Each retry, cancel, move, edit, login and key appears here, with its user and reason.
            </EmptyState>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Returns the day of a filter's moment: the start of a day, or for the last day the start of the next. */
function dayText(at: string | undefined, zone: Zone, last: boolean) {
  const moment = Date.parse(at ?? "") - (last ? 1 : 0);
  return Number.isNaN(moment) ? "" : absoluteText(moment, zone).slice(0, 10);
}

function dayTime(day: string, zone: Zone, last: boolean) {
  const moment = momentOf(readDate(day, false) ?? "", zone, last ? 1 : 0);
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}

const fields = ["actor", "action", "instance"] as const;
const names = { actor: "User", action: "Action", instance: "Instance" };

function AuditFilter({ search }: { search: AuditSearch }) {
  const [draft, setDraft] = useState<AuditSearch>(search);
  const address = JSON.stringify(search);
  const [known, setKnown] = useState({ address, applied: address });
  if (known.address !== address) {
    setKnown({ ...known, address });
    // An address that this form has set arrives a moment later, when more may have been typed.
    if (address !== known.applied) setDraft(search);
  }
  const [zone] = useZone();
  const navigate = useNavigate();
  const apply = (next: AuditSearch) => {
    const wanted = readAuditSearch({ ...next });
    setDraft(next);
    setKnown({ ...known, applied: JSON.stringify(wanted) });
    void navigate({ to: "/audit", search: wanted });
  };
  return (
    <form
      className="audit-filter"
      role="search"
      aria-label="Audit filter"
      onSubmit={(event) => {
        event.preventDefault();
        apply(draft);
      }}
    >
      {fields.map((name) => (
        <label key={name} className="field">
          <span>{names[name]}</span>
          <input
            name={name}
            inputMode={name === "instance" ? "numeric" : undefined}
            value={draft[name] ?? ""}
            onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
            onBlur={() => draft[name] !== search[name] && apply(draft)}
          />
        </label>
      ))}
      <label className="field">
        <span>
          From <span className="faint">{zoneName(zone)}</span>
        </span>
        <DateInput
          value={dayText(draft.from, zone, false)}
          onChange={(day) => apply({ ...draft, from: dayTime(day, zone, false) })}
        />
      </label>
      <label className="field">
        <span>
          Until <span className="faint">{zoneName(zone)}</span>
        </span>
        <DateInput
          value={dayText(draft.to, zone, true)}
          onChange={(day) => apply({ ...draft, to: dayTime(day, zone, true) })}
        />
      </label>
      <Button type="submit">Search</Button>
      {Object.keys(search).length > 0 && (
        <Button look="quiet" onClick={() => apply({})}>
          Clear filters
        </Button>
      )}
    </form>
  );
}
