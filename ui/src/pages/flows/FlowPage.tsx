import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Page, Panel } from "../../components/Page";
import { CreateDialog } from "./CreateDialog";
import { FlowRow } from "./FlowRow";
import "./flows.css";
import { FlowsLoaded } from "./FlowsLoaded";
import { JobSearch } from "./JobSearch";
import { useFlows } from "./useFlows";

const route = getRouteApi("/flows/$flow");

/** The page of one flow: its queues, the search for jobs, and the button that creates a job. */
export function FlowPage() {
  const { flow: name } = route.useParams();
  const may = useMay()("POST /flows/{flow}/jobs");
  const flows = useFlows();
  const [creating, setCreating] = useState(false);
  const flow = flows.data?.flows.find((one) => one.name === name);
  return (
    <Page
      title={`Flow ${name}`}
      subtitle="A flow: its queues and its jobs."
      heading={
        <span className="flow-heading">
          <Link to="/flows">Flows</Link>
          <span className="faint" aria-hidden="true">
            /
          </span>
          <span>{name}</span>
        </span>
      }
      actions={
        may &&
        flow && (
          <Button look="primary" icon={<Plus size={14} aria-hidden="true" />} onClick={() => setCreating(true)}>
            Create job
          </Button>
        )
      }
    >
      <FlowsLoaded query={flows}>
        {() =>
          flow ? (
            <>
              <Panel title="Queues">
                <FlowRow flow={flow} />
              </Panel>
              <JobSearch flow={flow} />
            </>
          ) : (
            <EmptyState title={`There is no flow ${name}`}>
              No process has registered it. <Link to="/flows">Show all flows</Link>.
            </EmptyState>
          )
        }
      </FlowsLoaded>
      {creating && flow && <CreateDialog flow={flow} onClose={() => setCreating(false)} />}
    </Page>
  );
}
