import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import { queries } from "../../api/queries";
import type { Definition, DefinitionState } from "../../api/schema";
import { useMay } from "../../app/session";
import { durationText } from "../../app/time";
import { Button } from "../../components/Button";
import { definitionGraph } from "../../components/graph/model";
import { StateGraph } from "../../components/graph/StateGraph";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { CountLinks } from "./CountLinks";
import "./definitions.css";
import { StartDialog } from "./StartDialog";
import { TypeChart } from "./TypeChart";

const route = getRouteApi("/definitions/$type");

export function DefinitionPage() {
  const { type } = route.useParams();
  const { version, start } = route.useSearch();
  const navigate = route.useNavigate();
  const definition = useQuery(queries.definition(type, version));
  const may = useMay();
  const setStart = (next: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, start: next }), replace: true });
  return (
    <Page
      title={type}
      subtitle="A workflow definition: its states, versions and instances."
      actions={
        may("POST /instances") &&
        definition.data?.startable && (
          <Button look="primary" icon={<Play size={14} aria-hidden="true" />} onClick={() => setStart("new")}>
            Start
          </Button>
        )
      }
    >
      <Loaded query={definition}>
        {(data) => (
          <>
            <Facts definition={data} />
            <Graph definition={data} />
            <Panel title="States">
              <Table label="States" columns={columns(type)} rows={data.states} rowKey={({ name }) => name} />
            </Panel>
            <Panel title="Started and ended">
              <TypeChart type={type} />
            </Panel>
            {start && data.startable && <StartDialog definition={data} like={Number(start) || undefined} onClose={() => setStart(undefined)} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ definition }: { definition: Definition }) {
  const { type, version, versions, description, runnable, counts, secrets } = definition;
  return (
    <>
      {description && <p className="muted">{description}</p>}
      <dl className="facts">
        <div>
          <dt>Version</dt>
          <dd className="versions">
            {versions.map((each) => (
              <Link
                key={each}
                to="/definitions/$type"
                params={{ type }}
                search={{ version: each }}
                aria-current={each === version ? "true" : undefined}
              >
                {each}
              </Link>
            ))}
          </dd>
        </div>
        <div>
          <dt>Code</dt>
          <dd>
            {runnable ? <span className="tag good">on a live executor</span> : <span className="tag warn">on no executor</span>}
          </dd>
        </div>
        <div>
          <dt>Instances</dt>
          <dd>
            <CountLinks type={type} counts={counts} />
          </dd>
        </div>
        {secrets && secrets.length > 0 && (
          <div>
            <dt>Secret variables</dt>
            <dd className="mono">{secrets.join(", ")}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Graph({ definition }: { definition: Definition }) {
  const [selected, setSelected] = useState<string>();
  const state = definition.states.find(({ name }) => name === selected);
  return (
    <Panel
      title="Graph"
      actions={
        state && (
          <Link to="/instances" search={{ type: [definition.type], state: state.name }}>
            Instances in {state.name}
          </Link>
        )
      }
    >
      <StateGraph graph={definitionGraph(definition)} selected={selected} onSelect={setSelected} />
    </Panel>
  );
}

const columns = (type: string): readonly Column<DefinitionState>[] => [
  {
    id: "name",
    head: "State",
    cell: ({ name }) => (
      <span className="mono cut" title={name}>
        {name}
      </span>
    ),
  },
  { id: "type", head: "Kind", cell: (state) => kindText(state) },
  { id: "counts", head: "Instances", cell: ({ name, counts }) => <CountLinks type={type} state={name} counts={counts} /> },
  {
    id: "runs",
    head: "Runs",
    align: "right",
    cell: ({ timing }) => (timing ? countText(timing.count) : <span className="faint">–</span>),
  },
  {
    id: "failed",
    head: "Failed",
    align: "right",
    cell: ({ timing }) =>
      timing ? <span className={timing.failed ? "status-failed" : ""}>{countText(timing.failed)}</span> : null,
  },
  { id: "p50", head: "p50", align: "right", cell: ({ timing }) => timing && durationText(timing.p50Ms) },
  { id: "p95", head: "p95", align: "right", cell: ({ timing }) => timing && durationText(timing.p95Ms) },
  {
    id: "retry",
    head: "Retry and limits",
    grow: true,
    cell: (state) => <span className="muted">{limitsText(state)}</span>,
  },
];

function kindText({ type, signal }: DefinitionState): string {
  return type === "wait" && signal ? `waits for ${signal}` : type;
}

function limitsText({ type, maxAttempts, firstRetryDelayMs, timeoutMs, signalTimeoutMs }: DefinitionState): string {
  if (type === "end") return "";
  return [
    `up to ${countText(maxAttempts)} ${maxAttempts === 1 ? "attempt" : "attempts"}`,
    firstRetryDelayMs !== undefined && maxAttempts > 1 && `first retry after ${durationText(firstRetryDelayMs)}`,
    timeoutMs != null && `at most ${durationText(timeoutMs)} a run`,
    signalTimeoutMs != null && `waits at most ${durationText(signalTimeoutMs)}`,
  ]
    .filter(Boolean)
    .join(", ");
}
