import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { keyValueQueries } from "../../api/data";
import type { KeyValue } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { Filter } from "./Filter";
import { statusLooks } from "./form";
import "./keyValues.css";
import { readKeySearch, type KeySearch } from "./search";
import { ValueDialog } from "./ValueDialog";
import { ValuePanel } from "./ValuePanel";

const route = getRouteApi("/key-values");

const columns = (open: (key: string) => void): Column<KeyValue>[] => [
  {
    id: "key",
    head: "Key",
    cell: ({ key }) => (
      <button type="button" className="link-button" onClick={() => open(key)}>
        {key}
      </button>
    ),
  },
  { id: "value", head: "Value", grow: true, cell: ({ value }) => <code className="key-cut">{value.slice(0, 200)}</code> },
  { id: "status", head: "Status", cell: ({ status }) => <span className={`tag ${statusLooks[status]}`}>{status}</span> },
  { id: "version", head: "Version", align: "right", cell: ({ version }) => version },
  { id: "modified", head: "Modified", cell: ({ modified }) => <RelativeTime at={modified} /> },
  { id: "expires", head: "Expires", cell: ({ expires }) => <RelativeTime at={expires} /> },
];

/** The page of values that handlers keep by group and key. */
export function KeyValuesPage() {
  const search = readKeySearch(route.useSearch());
  const may = useMay()("PUT /key-values/value");
  const groups = useQuery(keyValueQueries.groups());
  const navigate = useNavigate();
  const go = (next: KeySearch) => void navigate({ to: "/key-values", search: readKeySearch({ ...next }) });
  const [adding, setAdding] = useState(false);
  const group = search.group ?? groups.data?.items[0];
  return (
    <Page
      title="Keys and values"
      subtitle="Values that workflows and other programs store by group and key."
      actions={
        may && (
          <Button look="primary" icon={<Plus size={14} aria-hidden="true" />} onClick={() => setAdding(true)}>
            Add value
          </Button>
        )
      }
    >
      <Loaded query={groups}>
        {({ items }) =>
          group === undefined ? (
            <EmptyState title="No values">
              Handlers store values by group and key with <code>ctx.keyValues()</code>. Values can also be added here.
            </EmptyState>
          ) : (
            <>
              <Filter groups={items} search={{ ...search, group }} onGo={go} />
              {search.key !== undefined && (
                <ValuePanel
                  key={`${group} ${search.key}`}
                  group={group}
                  name={search.key}
                  onClose={() => go({ ...search, key: undefined })}
                />
              )}
              <Values search={{ ...search, group }} open={(key) => go({ ...search, group, key })} />
            </>
          )
        }
      </Loaded>
      {adding && (
        <ValueDialog
          group={group ?? ""}
          before={null}
          onDone={(at) => go(at)}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  );
}

function Values({ search, open }: { search: KeySearch & { group: string }; open: (key: string) => void }) {
  const { key: _, ...filter } = search;
  const paging = usePaging(JSON.stringify(filter));
  const values = useQuery({
    ...keyValueQueries.list({ ...filter, limit: 50, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  });
  const title = `Values of ${search.group}`;
  return (
    <Panel title={title}>
      <Loaded query={values}>
        {({ items, next }) => (
          <>
            {items.length ? (
              <Table label={title} columns={columns(open)} rows={items} rowKey={({ key }) => key} />
            ) : (
              <p className="muted">{paging.page ? "No older values." : "No value matches."}</p>
            )}
            {(next || paging.page > 0) && (
              <div className="panel-paging">
                <PagingFoot paging={paging} next={next}>
                  <span>Last modified first</span>
                </PagingFoot>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
