import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../../api/queries";
import type { Settings } from "../../api/schema";
import { useMay } from "../../app/session";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { Keys } from "./Keys";
import { Users } from "./Users";
import "./settings.css";

type Entry = Settings["entries"][number];
type Plugin = NonNullable<Settings["plugins"]>[number];

const entryColumns: Column<Entry>[] = [
  { id: "key", head: "Key", cell: ({ key }) => <code>{key}</code> },
  { id: "value", head: "Value", cell: ({ value }) => (value ? <code className="setting-value">{value}</code> : <span className="faint">not set</span>) },
  { id: "meaning", head: "Meaning", grow: true, cell: ({ meaning }) => <span className="muted">{meaning}</span> },
  {
    id: "origin",
    head: "From",
    cell: ({ origin }) => <span className={origin === "default" ? "faint" : "setting-origin"}>{origin}</span>,
  },
];

const pluginColumns: Column<Plugin>[] = [
  { id: "jar", head: "Jar", cell: ({ jar }) => <code>{jar}</code> },
  { id: "types", head: "Definitions", cell: ({ types }) => types?.join(", ") || <span className="faint">none</span> },
  {
    id: "problem",
    head: "State",
    grow: true,
    cell: ({ problem }) =>
      problem ? (
        <span>
          <span className="tag bad">not loaded</span> {problem}
        </span>
      ) : (
        <span className="tag good">loaded</span>
      ),
  },
];

export function SettingsPage() {
  const may = useMay()("GET /settings");
  return (
    <Page
      title="Settings"
      subtitle="API keys, users, and each setting of this server with its origin."
    >
      {may ? (
        <All />
      ) : (
        <EmptyState title="Permission denied">Only administrators can see the settings. Ask an administrator for the role admin.</EmptyState>
      )}
    </Page>
  );
}

function All() {
  const settings = useQuery(queries.settings());
  return (
    <>
      <Keys />
      <Users />
      <Loaded query={settings}>{(data) => <Configuration settings={data} />}</Loaded>
    </>
  );
}

function Configuration({ settings }: { settings: Settings }) {
  const [text, setText] = useState("");
  const { entries, plugins = [], version, database } = settings;
  // Without meanings from the server, the column would be empty.
  const columns = entryColumns.filter(({ id }) => id !== "meaning" || entries.some(({ meaning }) => meaning));
  const retention = entries.filter(({ key }) => /retention/i.test(key));
  const wanted = text.trim().toLowerCase();
  const shown = entries.filter(({ key, value, meaning }) => `${key} ${value} ${meaning ?? ""}`.toLowerCase().includes(wanted));
  return (
    <>
      {retention.length > 0 && (
        <Panel title="Retention">
          <p className="muted">Retention of ended instances. Set these keys in the configuration and restart the server.</p>
          <Table label="Retention" columns={columns} rows={retention} rowKey={({ key }) => key} />
        </Panel>
      )}
      <Panel
        title="Configuration"
        actions={
          <input
            type="search"
            aria-label="Filter the configuration"
            placeholder="Filter"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        }
      >
        {shown.length ? (
          <Table label="Configuration" columns={columns} rows={shown} rowKey={({ key }) => key} />
        ) : (
          <EmptyState title="No key matches" command="millrace config show" />
        )}
      </Panel>
      <Panel title="Workflow jars">
        {plugins.length ? (
          <Table label="Workflow jars" columns={pluginColumns} rows={plugins} rowKey={({ jar }) => jar} />
        ) : (
          <EmptyState title="No jar is loaded">Put a jar with workflows into the folder workflowjar and restart the server.</EmptyState>
        )}
      </Panel>
      <Panel title="About">
        <dl className="fact-list">
          <dt>Millrace</dt>
          <dd>{version}</dd>
          <dt>Database</dt>
          <dd>{database ?? "unknown"}</dd>
          <dt>HTTP interface</dt>
          <dd>
            <a href="api/v1/openapi.yaml">openapi.yaml</a>
          </dd>
        </dl>
      </Panel>
    </>
  );
}
