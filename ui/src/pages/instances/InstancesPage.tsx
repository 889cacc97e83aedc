import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Columns3, Download, RefreshCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { apiUrl } from "../../api/client";
import { filterOptions, quoted } from "../../api/actions";
import { queries } from "../../api/queries";
import { usePreference } from "../../app/preferences";
import { useMay } from "../../app/session";
import { isOutage } from "../../app/trouble";
import { BulkProgress } from "../../components/BulkProgress";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Loaded } from "../../components/Loaded";
import { Menu, MenuCheck, MenuHead, MenuLine, MenuLink } from "../../components/Menu";
import { cappedText, countText } from "../../components/number";
import { Page } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { BulkBar } from "./BulkBar";
import { chosenColumns, initialColumns, instanceColumns, toggled } from "./columns";
import { readFilter, type Filter } from "./filter";
import { InstanceTable } from "./InstanceTable";
import { isEmpty, nothing, stepped, toggle, togglePage, typesOf, type Selection } from "./selection";
import { isInternal } from "../definitions/internal";
import { StatusSide } from "./StatusSide";
import { TokenSearch } from "./TokenSearch";
import { useKeys } from "./useKeys";
import "./instances.css";

const route = getRouteApi("/instances");
const pageSize = 100;

export function InstancesPage() {
  // The address may contain unknown parameters.
  const filter = readFilter(route.useSearch());
  const navigate = useNavigate();
  const may = useMay()("POST /bulk");
  const [choice, setChoice] = usePreference("columns", initialColumns);
  const [selection, setSelection] = useState<Selection>(nothing);
  const [cursor, setCursor] = useState<number>(); // an id: live updates push rows down
  const [runs, setRuns] = useState<number[]>([]);
  const search = useRef<HTMLInputElement>(null);
  const identity = JSON.stringify(filter);
  const paging = usePaging(identity);
  const list = useQuery({
    ...queries.instances({ ...filter, limit: pageSize, cursor: paging.cursor }),
    placeholderData: keepPreviousData,
  });
  const matching = useQuery({
    ...queries.count({ ...filter, cap: 10_000 }),
    queryKey: ["counts", "all", filter],
    refetchInterval: 20_000,
    placeholderData: keepPreviousData,
  });
  const definitions = useQuery(queries.definitions());

  const types = (definitions.data ?? []).map(({ type }) => type);

  useEffect(() => {
    setSelection(nothing);
  }, [identity]);
  useEffect(() => setCursor(undefined), [identity, paging.page]);

  const rows = list.data?.items ?? [];
  const setFilter = (next: Filter) =>
    void navigate({ to: "/instances", search: readFilter(next as Record<string, unknown>) });
  const open = (id: number) => void navigate({ to: "/instances/$id", params: { id } });
  const step = (by: number) => setCursor((before) => stepped(rows, before, by));
  const onRow = (action: (id: number) => void) => () => {
    if (rows.some(({ id }) => id === cursor)) action(cursor!);
  };
  useKeys({
    "/": () => search.current?.focus(),
    j: () => step(1),
    k: () => step(-1),
    r: () => void list.refetch(),
    Enter: onRow(open),
    ...(may ? { x: onRow((id) => setSelection((before) => toggle(before, id, rows))) } : {}),
  });

  const matchingText = matching.data ? cappedText(matching.data) : "";
  const first = paging.page * pageSize + 1;
  const command = ["millrace", "list", ...filterOptions(filter)].map(quoted).join(" ");
  return (
    <Page
      title="Instances"
      subtitle="Each run of a workflow definition, with its status and its state."
      actions={
        <>
          <Button
            look="quiet"
            icon={<RefreshCw size={14} aria-hidden="true" />}
            aria-label="Refresh"
            title="Refresh (r)"
            onClick={() => void list.refetch()}
          />
          <Menu label="Columns" trigger={<Button icon={<Columns3 size={14} aria-hidden="true" />}>Columns</Button>}>
            {instanceColumns
              .filter(({ always }) => !always)
              .map(({ id, name }) => (
                <MenuCheck
                  key={id}
                  checked={choice.split(",").includes(id)}
                  onChange={(on) => setChoice(toggled(choice, id, on))}
                >
                  {name}
                </MenuCheck>
              ))}
          </Menu>
          <Menu label="Export" trigger={<Button icon={<Download size={14} aria-hidden="true" />}>Export</Button>}>
            <MenuHead>All that match, up to 10,000</MenuHead>
            <MenuLine />
            <MenuLink href={apiUrl("/instances/export", {}, { ...filter, format: "csv" })}>CSV</MenuLink>
            <MenuLink href={apiUrl("/instances/export", {}, { ...filter, format: "json" })}>JSON lines</MenuLink>
          </Menu>
        </>
      }
    >
      <div className="instances">
        <StatusSide filter={filter} />
        <div className="instances-main">
          <TokenSearch
            filter={filter}
            types={types}
            onChange={setFilter}
            onOpen={open}
            inputRef={search}
          />
          {runs.map((id) => (
            <BulkProgress key={id} id={id} onDismiss={() => setRuns((all) => all.filter((one) => one !== id))} />
          ))}
          {!isEmpty(selection) && (
            <BulkBar
              selection={selection}
              filter={filter}
              matching={matchingText}
              types={typesOf(selection, filter, rows)}
              onAll={() => setSelection("all")}
              onNone={() => setSelection(nothing)}
              onBegun={(run) => {
                setRuns((all) => [run.id, ...all]);
                setSelection(nothing);
              }}
            />
          )}
          {list.data && list.error && !isOutage(list.error) && <ErrorPanel error={list.error} />}
          <Loaded query={list}>
            {({ items, next }) =>
              items.length ? (
                <>
                  <InstanceTable
                    rows={items}
                    columns={chosenColumns(choice)}
                    selection={may ? selection : null}
                    cursor={cursor}
                    onToggle={(id) => setSelection((before) => toggle(before, id, items))}
                    onTogglePage={() => setSelection((before) => togglePage(before, items))}
                  />
                  <PagingFoot paging={paging} next={next}>
                    <span className="number">
                      {countText(first)} to {countText(first + items.length - 1)}
                      {matchingText && ` of ${matchingText}`}
                    </span>
                    <KeyHelp choose={may} />
                  </PagingFoot>
                </>
              ) : (
                <NoInstances filter={filter} type={types.find((type) => !isInternal(type))} />
              )
            }
          </Loaded>
          <div className="code-line list-command">
            <span className="code-line-name">Command</span>
            <code tabIndex={0}>{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </div>
        </div>
      </div>
    </Page>
  );
}

function KeyHelp({ choose }: { choose: boolean }) {
  return (
    <span className="keys wide-only">
      <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open {choose && (
        <>
          <kbd>x</kbd> select{" "}
        </>
      )}
      <kbd>r</kbd> refresh <kbd>/</kbd> filter
    </span>
  );
}

function NoInstances({ filter, type }: { filter: Filter; type: string | undefined }) {
  if (Object.keys(filter).length) {
    return <EmptyState title="No instance matches">Remove a filter, or widen the time range.</EmptyState>;
  }
  return type ? (
    <EmptyState title="No instances yet" command={`millrace start ${quoted(type)}`}>
      Start one from the page of its definition, from your program, or from a terminal:
    </EmptyState>
  ) : (
    <EmptyState title="No workflow definitions yet">
      Put a jar with workflows into the folder <code>workflowjar</code> and restart the server.
    </EmptyState>
  );
}
