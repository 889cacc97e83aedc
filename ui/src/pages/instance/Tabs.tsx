import { getRouteApi } from "@tanstack/react-router";
import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";
import type { InstanceDetail } from "../../api/schema";
import { instanceTabs } from "../../app/router";
import { Button } from "../../components/Button";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Panel } from "../../components/Page";
import { HistoryTab } from "./HistoryTab";
import { ChildrenTab } from "./ChildrenTab";
import { Earlier } from "./Earlier";
import { GraphTab } from "./GraphTab";
import { LogsTab } from "./LogsTab";
import { RawTab } from "./RawTab";
import { MessagesTab } from "./MessagesTab";
import { Timeline } from "./Timeline";
import { useHistory } from "./useHistory";
import { VariablesTab } from "./VariablesTab";

const route = getRouteApi("/instances/$id");

type Tab = (typeof instanceTabs)[number];

const words: Record<Tab, string> = {
  graph: "Graph",
  timeline: "Timeline",
  history: "History",
  variables: "Variables",
  messages: "Messages",
  logs: "Logs",
  children: "Children",
  raw: "Raw",
};

/** The tabs with the details of an instance; the address holds the selected tab. */
export function Tabs({ instance, onEdit }: { instance: InstanceDetail; onEdit?: () => void }) {
  const { id } = instance;
  const { tab = "graph", entry, state } = route.useSearch();
  const navigate = route.useNavigate();
  const history = useHistory(id, instance.seq);
  const children = instance.children?.total ?? 0;
  const turn = (next: Tab) =>
    void navigate({
      search: (before) => ({ tab: next === "graph" ? undefined : next, state: before.state }),
      replace: true,
      resetScroll: false,
    });
  const show = (seq: number) => void navigate({ search: { tab: "history", entry: seq } });
  const pick = (picked: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, state: picked }), replace: true, resetScroll: false });
  const parts: Record<Tab, () => ReactNode> = {
    graph: () => (
      <>
        <Panel title="States" className="graph-panel">
          <GraphTab instance={instance} entries={history.entries} selected={state} onSelect={pick} />
        </Panel>
        <Panel
          title={state ? `History in ${state}` : "History"}
          actions={state && <Button onClick={() => pick(undefined)}>Show all</Button>}
        >
          <HistoryTab history={history} state={state} />
        </Panel>
      </>
    ),
    timeline: () => (
      <Panel title="Timeline">
        <Loaded query={history.query}>
          {(entries) => <Timeline instance={instance} entries={entries} selected={entry} onSelect={show} />}
        </Loaded>
        <Earlier history={history} />
      </Panel>
    ),
    history: () => (
      <Panel title="History">
        <HistoryTab history={history} selected={entry} />
      </Panel>
    ),
    variables: () => <VariablesTab instance={instance} entries={history.entries} onEdit={onEdit} onShow={show} />,
    messages: () => (
      <Panel title="Messages">
        <MessagesTab id={id} />
      </Panel>
    ),
    logs: () => (
      <Panel title="Log lines">
        <LogsTab id={id} />
      </Panel>
    ),
    children: () => (
      <Panel title="Children">
        <ChildrenTab id={id} />
      </Panel>
    ),
    raw: () => (
      <Panel title="Raw JSON">
        <RawTab id={id} />
      </Panel>
    ),
  };
  return (
    <section className="tabs" aria-label="Details">
      <RadixTabs.Root value={tab} onValueChange={(next) => turn(next as Tab)}>
        <RadixTabs.List className="tab-list" aria-label="Details">
          {instanceTabs.map((name) => (
            <RadixTabs.Trigger key={name} value={name} className="tab">
              {words[name]}
              {name === "children" && children > 0 && <span className="tag">{countText(children)}</span>}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        <RadixTabs.Content key={tab} value={tab} className="tab-part">
          {parts[tab]()}
        </RadixTabs.Content>
      </RadixTabs.Root>
    </section>
  );
}
