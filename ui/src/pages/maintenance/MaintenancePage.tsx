import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { baseUrl } from "../../api/client";
import { advance, maintenanceQueries } from "../../api/maintenance";
import type { Maintenance, MaintenanceStage } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { AbsoluteTime, RelativeTime } from "../../components/Time";
import { useLive } from "../../live/live";
import { CalendarPanel } from "./CalendarPanel";
import "./maintenance.css";
import { nextStages, stageActions, stageLooks, stageTexts } from "./plan";
import { PlanDialog } from "./PlanDialog";
import { Subscribers } from "./Subscribers";

export function MaintenancePage() {
  const may = useMay();
  const paused = useLive().state === "paused";
  const maintenances = useQuery({ ...maintenanceQueries.maintenances(), refetchInterval: paused ? false : 5_000 });
  const [planning, setPlanning] = useState<Maintenance | null>();
  const [advancing, setAdvancing] = useState<{ maintenance: Maintenance; to: MaintenanceStage }>();
  const columns: Column<Maintenance>[] = [
    {
      id: "title",
      head: "Maintenance",
      grow: true,
      cell: ({ id, plan }) => (
        <Link to="/instances/$id" params={{ id }}>
          {plan.title}
        </Link>
      ),
    },
    {
      id: "stage",
      head: "Stage",
      cell: ({ stage, since }) => (
        <>
          <span className={`tag ${stageLooks[stage]}`}>{stageTexts[stage]}</span> <RelativeTime at={since} />
        </>
      ),
    },
    { id: "from", head: "From", cell: ({ plan }) => <AbsoluteTime at={plan.from} /> },
    { id: "until", head: "Until", cell: ({ plan }) => <AbsoluteTime at={plan.until} after={plan.from} /> },
    { id: "affected", head: "Affected", cell: ({ plan }) => plan.affected?.join(", ") || "everything" },
    {
      id: "actions",
      head: <span className="sr-only">Actions</span>,
      align: "right",
      cell: (one) => (
        <span className="cell-buttons">
          {may("PUT /maintenances/{id}") && one.next.length > 0 && (
            <Button aria-label={`Change ${one.plan.title}`} onClick={() => setPlanning(one)}>
              Change
            </Button>
          )}
          {may("POST /maintenances/{id}/advance") &&
            nextStages(one).map((to) => (
              <Button
                key={to}
                aria-label={`${stageActions[to]}: ${one.plan.title}`}
                onClick={() => setAdvancing({ maintenance: one, to })}
              >
                {stageActions[to]}
              </Button>
            ))}
        </span>
      ),
    },
  ];
  return (
    <Page
      title="Maintenance"
      subtitle="Planned maintenances and recycles, and the subscribers who are notified."
      actions={
        <>
          <a href={new URL("status-page", baseUrl()).href}>Status page</a>
          {may("POST /maintenances") && (
            <Button icon={<Plus size={14} aria-hidden="true" />} look="primary" onClick={() => setPlanning(null)}>
              Plan maintenance
            </Button>
          )}
        </>
      }
    >
      <Loaded query={maintenances}>
        {(all) =>
          all.length ? (
            <Panel title="Planned and past">
              <Table label="Planned and past" columns={columns} rows={all} rowKey={({ id }) => id} />
            </Panel>
          ) : (
            <EmptyState title="No maintenance is planned" command="millrace maintenance plan TITLE --from TIME --until TIME">
              A planned maintenance appears on the public status page, in a feed and in calendars, and subscribers are notified.
            </EmptyState>
          )
        }
      </Loaded>
      <CalendarPanel maintenances={maintenances.data ?? []} />
      {may("GET /subscriptions") && <Subscribers />}
      {planning !== undefined && <PlanDialog maintenance={planning} onClose={() => setPlanning(undefined)} />}
      {advancing && (
        <ConfirmDialog
          title={`${stageActions[advancing.to]}: ${advancing.maintenance.plan.title}`}
          action={(reason) => advance(advancing.maintenance.id, advancing.to, reason)}
          confirm={stageActions[advancing.to]}
          danger={advancing.to === "cancelled"}
          onClose={() => setAdvancing(undefined)}
        >
          <p>
            Changes the stage from {stageTexts[advancing.maintenance.stage]} to {stageTexts[advancing.to]}. All subscribers are
            notified.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}
