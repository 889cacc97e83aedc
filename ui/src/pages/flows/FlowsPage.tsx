import { Link } from "@tanstack/react-router";
import { EmptyState } from "../../components/EmptyState";
import { Page, Panel } from "../../components/Page";
import { FlowRow } from "./FlowRow";
import "./flows.css";
import { FlowsLoaded } from "./FlowsLoaded";
import { useFlows } from "./useFlows";

/** All flows of jobs in Redis. */
export function FlowsPage() {
  const flows = useFlows();
  return (
    <Page title="Flows">
      <FlowsLoaded query={flows}>
        {({ flows: all }) =>
          all.length ? (
            all.map((flow) => (
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
            ))
          ) : (
            <EmptyState title="No flow is registered">
              Redis answers. A process that begins a flow with <code>RedisFlows.connect(…).register(flow)</code> shows here within
              seconds; flows of Node.js alone do not register.
            </EmptyState>
          )
        }
      </FlowsLoaded>
    </Page>
  );
}
