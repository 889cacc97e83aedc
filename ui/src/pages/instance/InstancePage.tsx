import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Tabs as RadixTabs } from "radix-ui";
import { queries } from "../../api/queries";
import type { InstanceDetail } from "../../api/schema";
import { instanceTabs } from "../../app/router";
import { CopyButton } from "../../components/CopyButton";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { StatusBadge } from "../../components/StatusBadge";
import { AbsoluteTime, Duration, RelativeTime } from "../../components/Time";
import { ActionsTab } from "./ActionsTab";
import { ChildrenTab } from "./ChildrenTab";
import { GraphTab } from "./GraphTab";
import { InstanceActions, useDeeds } from "./InstanceActions";
import "./instance.css";
import { LogsTab } from "./LogsTab";
import { RawTab } from "./RawTab";
import { SignalsTab } from "./SignalsTab";
import { Stuck } from "./Stuck";
import { Timeline } from "./Timeline";
import { useHistory } from "./useHistory";
import { VariablesTab } from "./VariablesTab";
import { Why } from "./Why";

const route = getRouteApi("/instances/$id");

type Tab = (typeof instanceTabs)[number];

const tabWords: Record<Tab, string> = {
  graph: "Graph",
  timeline: "Timeline",
  actions: "History",
  variables: "Variables",
  signals: "Signals",
  logs: "Logs",
  children: "Children",
  raw: "Raw",
};

export function InstancePage() {
  const { id } = route.useParams();
  const instance = useQuery(queries.instance(id));
  return instance.data ? (
    <Shown key={id} instance={instance.data} />
  ) : (
    <Page title={`Instance ${id}`}>
      <Loaded query={instance}>{() => null}</Loaded>
    </Page>
  );
}

function Shown({ instance }: { instance: InstanceDetail }) {
  const { id, type, progress } = instance;
  const { open, dialog } = useDeeds(instance);
  return (
    <Page
      title={`${type} ${id}`}
      heading={
        <span className="instance-heading">
          {instance.parentId && (
            <>
              <Link to="/instances/$id" params={{ id: instance.parentId }}>
                {instance.parentId}
              </Link>
              <span className="faint" aria-hidden="true">
                /
              </span>
            </>
          )}
          <span>
            {type} <span className="number">{id}</span>
          </span>
          <StatusBadge status={instance.status} />
          <CopyButton text={window.location.href} label="Copy the link" />
        </span>
      }
      actions={<InstanceActions instance={instance} open={open} />}
    >
      <Why instance={instance} open={open} />
      {progress && <ProgressBar {...progress} />}
      {instance.stuck && <Stuck stuck={instance.stuck} />}
      <Facts instance={instance} />
      <Tabs instance={instance} onEdit={instance.allowed.includes("editVariables") ? () => open("editVariables") : undefined} />
      {dialog}
    </Page>
  );
}

function ProgressBar({ done, total, text }: { done: number; total: number; text?: string | null }) {
  const part = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <div className="instance-progress">
      {total > 0 && (
        <div className="progress" role="progressbar" aria-label="Progress" aria-valuenow={done} aria-valuemax={total}>
          <div style={{ width: `${part * 100}%` }} />
        </div>
      )}
      <span className="number">{total > 0 ? `${done} of ${total}` : done}</span>
      {text && <span className="muted">{text}</span>}
    </div>
  );
}

function Facts({ instance }: { instance: InstanceDetail }) {
  const { children } = instance;
  const facts: [string, React.ReactNode][] = [
    ["State", <span className="mono">{instance.state}</span>],
    ["Business key", instance.businessKey],
    ["External id", instance.externalId],
    ["Version", <Link to="/definitions/$type" params={{ type: instance.type }} search={{ version: instance.version }}>{instance.version}</Link>],
    ["Started", <RelativeTime at={instance.created} />],
    [instance.ended ? "Took" : "Age", <Duration from={instance.created} to={instance.ended} />],
    ["Next run", instance.nextActivation && <AbsoluteTime at={instance.nextActivation} />],
    ["Attempt", instance.attempt > 1 && instance.attempt],
    ["Executor", instance.executorId && <Link to="/executors">{instance.executorId}</Link>],
    ["Group", instance.executorGroup],
    ["Priority", instance.priority],
    ["Children", children && children.total > 0 && `${children.open} open, ${children.failed} failed of ${children.total}`],
  ];
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function Tabs({ instance, onEdit }: { instance: InstanceDetail; onEdit?: () => void }) {
  const { tab = "graph", entry, state } = route.useSearch();
  const navigate = route.useNavigate();
  const history = useHistory(instance.id);
  const children = instance.children ?? { total: 0 };
  const turn = (next: Tab) =>
    void navigate({
      search: (before) => ({ tab: next === "graph" ? undefined : next, state: before.state }),
      replace: true,
      resetScroll: false,
    });
  const show = (seq: number) => void navigate({ search: { tab: "actions", entry: seq } });
  const pick = (picked: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, state: picked }), replace: true, resetScroll: false });
  return (
    <section className="tabs" aria-label="Details">
      <RadixTabs.Root value={tab} onValueChange={(next) => turn(next as Tab)}>
        <RadixTabs.List className="tab-list" aria-label="Details">
          {instanceTabs.map((name) => (
            <RadixTabs.Trigger key={name} value={name} className="tab">
              {tabWords[name]}
              {name === "children" && children.total > 0 && <span className="tag">{children.total}</span>}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        <RadixTabs.Content key={tab} value={tab} className="tab-part">
      {tab === "graph" && (
        <>
          <Panel title="States" className="graph-panel">
            <GraphTab instance={instance} actions={history.actions} selected={state} onSelect={pick} />
          </Panel>
          <Panel
            title={state ? `History in ${state}` : "History"}
            actions={
              state && (
                <button type="button" className="button" onClick={() => pick(undefined)}>
                  Show all
                </button>
              )
            }
          >
            <ActionsTab history={history} state={state} />
          </Panel>
        </>
      )}
      {tab === "timeline" && (
        <Panel title="Timeline">
          <Loaded query={history.query}>
            {() => <Timeline instance={instance} actions={history.actions} selected={entry} onSelect={show} />}
          </Loaded>
        </Panel>
      )}
      {tab === "actions" && (
        <Panel title="History">
          <ActionsTab history={history} selected={entry} />
        </Panel>
      )}
      {tab === "variables" && (
        <VariablesTab instance={instance} actions={history.actions} onEdit={onEdit} onShow={show} />
      )}
      {tab === "signals" && (
        <Panel title="Signals">
          <SignalsTab id={instance.id} />
        </Panel>
      )}
      {tab === "logs" && (
        <Panel title="Log lines">
          <LogsTab id={instance.id} />
        </Panel>
      )}
      {tab === "children" && (
        <Panel title="Children">
          <ChildrenTab id={instance.id} />
        </Panel>
      )}
      {tab === "raw" && (
        <Panel title="Raw JSON">
          <RawTab id={instance.id} />
        </Panel>
      )}
        </RadixTabs.Content>
      </RadixTabs.Root>
    </section>
  );
}
