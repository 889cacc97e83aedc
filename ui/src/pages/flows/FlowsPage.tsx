import { Link } from "@tanstack/react-router";
import type { Flow } from "../../api/flows";
import { EmptyState } from "../../components/EmptyState";
import { More } from "../../components/More";
import { countText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { FlowRow } from "./FlowRow";
import "./flows.css";
import { FlowsLoaded } from "./FlowsLoaded";
import { isQuiet } from "./row";
import { useFlows } from "./useFlows";

/** The list of all flows of jobs in Redis. */
export function FlowsPage() {
  const flows = useFlows();
  return (
    <Page
      title="Flows"
      subtitle="Job queues in Redis, with the jobs that wait, run and failed."
    >
      <FlowsLoaded query={flows}>
        {({ flows: all }) => {
          const quiet = all.length > 1 ? all.filter(isQuiet) : [];
          return all.length ? (
            <>
              <Flows all={all.filter((flow) => !quiet.includes(flow))} />
              {quiet.length > 0 && (
                <More
                  summary={`${countText(quiet.length)} ${quiet.length === 1 ? "flow" : "flows"} without workers and jobs`}
                  begins={quiet.length === all.length}
                  className="flow-quiet"
                >
                  <Flows all={quiet} />
                </More>
              )}
            </>
          ) : (
            <EmptyState title="No flow is registered">
              Redis answers. A flow that a process registers with <code>RedisFlows.connect(…).register(flow)</code> appears here within
              seconds. Flows that run only in Node.js are not registered.
            </EmptyState>
          );
        }}
      </FlowsLoaded>
    </Page>
  );
}

function Flows({ all }: { all: readonly Flow[] }) {
  return all.map((flow) => (
    <Panel
      key={flow.name}
      title={flow.name}
      actions={
        <Link to="/flows/$flow" params={{ flow: flow.name }} className="button" aria-label={`Jobs of ${flow.name}`}>
          Jobs
        </Link>
      }
    >
      <FlowRow flow={flow} />
    </Panel>
  ));
}
