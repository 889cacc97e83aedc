import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText, Play } from "lucide-react";
import { useState } from "react";
import { calendarQueries } from "../../api/calendar";
import { apiUrl } from "../../api/client";
import { onSequence, runSequence } from "../../api/sequenceDeeds";
import type { Report } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { bytesText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { SequenceBadge } from "../../components/SequenceBadge";
import { SequenceLink } from "../../components/SequenceLink";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { useToast } from "../../components/Toast";
import { restReason } from "../sequences/rest";
import "./reports.css";

type Action = "run" | "restart" | "activate" | "deactivate";
/** One whose workflow names no report has no title. */
const nameOf = ({ title, workflowId }: Report) => title || workflowId;

type Asked = { action: Action; report: Report };

export function ReportsPage() {
  const reports = useQuery(calendarQueries.reports());
  const [asked, setAsked] = useState<Asked>();
  const columns: Column<Report>[] = [
    {
      id: "title",
      head: "Report",
      grow: true,
      cell: (report) => (
        <div className="report-name">
          <strong>{nameOf(report)}</strong>
          <SequenceLink workflowId={report.workflowId} />
          <span className="muted">{report.words}</span>
        </div>
      ),
    },
    { id: "last", head: "Last run", cell: ({ lastRun }) => <RelativeTime at={lastRun} /> },
    { id: "next", head: "Next run", cell: (report) => <Next report={report} /> },
    {
      id: "status",
      head: "Status",
      cell: ({ status, active }) => (
        <div className="report-status">
          <SequenceBadge status={status} />
          {active ? <span className="tag good">active</span> : <span className="tag">inactive</span>}
        </div>
      ),
    },
    { id: "pdf", head: "Newest PDF", cell: (report) => <Pdf report={report} /> },
    {
      id: "actions",
      head: <span className="sr-only">Actions</span>,
      align: "right",
      cell: (report) => <Actions report={report} ask={(action) => setAsked({ action, report })} />,
    },
  ];
  return (
    <Page title="Reports">
      <Loaded query={reports}>
        {(all) =>
          all.length ? (
            <Panel title="Workflows that make reports">
              <Table label="Reports" columns={columns} rows={all} rowKey={({ workflowId }) => workflowId} stacks />
            </Panel>
          ) : (
            <EmptyState title="No workflow makes a report" command="millrace reports list">
              A workflow with the tasks KPI and PDF makes one; it shows here with its newest PDF.
            </EmptyState>
          )
        }
      </Loaded>
      {asked && <Ask {...asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

/** A schedule that rests says why instead of a time at which nothing will happen. */
function Next({ report }: { report: Report }) {
  const rests = restReason(report);
  return rests ? <span className="faint">rests: {rests}</span> : <RelativeTime at={report.nextRun} />;
}

function Pdf({ report: { executionId, fileName, size, created } }: { report: Report }) {
  if (!executionId || !fileName) return <span className="faint">none yet</span>;
  return (
    <div className="report-name">
      <a href={apiUrl("/reports/{id}/pdf", { id: executionId })} download className="report-pdf">
        <FileText size={14} aria-hidden="true" />
        {fileName}
      </a>
      <span className="faint">
        {size != null && `${bytesText(size)}, `}
        <RelativeTime at={created} />
      </span>
    </div>
  );
}

function Actions({ report, ask }: { report: Report; ask: (action: Action) => void }) {
  const may = useMay();
  const { status, active } = report;
  const title = nameOf(report);
  return (
    <span className="cell-buttons">
      {status === "ABORTED" && may("POST /sequences/{workflowId}/restart") && (
        <Button aria-label={`Restart ${title}`} onClick={() => ask("restart")}>
          Restart
        </Button>
      )}
      {may("POST /sequences/{workflowId}/run") && (
        <Button
          icon={<Play size={13} aria-hidden="true" />}
          aria-label={`Run now: ${title}`}
          onClick={() => ask("run")}
        >
          Run now
        </Button>
      )}
      {may("POST /sequences/{workflowId}/activate") && (
        <Button
          aria-label={`${active ? "Deactivate" : "Activate"} ${title}`}
          onClick={() => ask(active ? "deactivate" : "activate")}
        >
          {active ? "Deactivate" : "Activate"}
        </Button>
      )}
    </span>
  );
}

const questions: Record<Action, { title: string; confirm: string; done: string; text: string }> = {
  run: {
    done: "started",
    title: "Run now",
    confirm: "Run now",
    text: "It runs for its last complete window, whether it is active or not. Its schedule stays as it is.",
  },
  restart: {
    title: "Restart",
    done: "starts again",
    confirm: "Restart",
    text: "It runs again from its first task, for the window of the execution that was aborted.",
  },
  activate: { title: "Activate", confirm: "Activate", done: "active", text: "Its schedule runs from now on." },
  deactivate: {
    title: "Deactivate",
    done: "inactive",
    confirm: "Deactivate",
    text: "Nothing begins any more unless somebody runs it by hand. What runs now goes on.",
  },
};

function Ask({ action, report, onClose }: Asked & { onClose: () => void }) {
  const toast = useToast();
  const { workflowId } = report;
  const title = nameOf(report);
  const { title: verb, confirm, done, text } = questions[action];
  const dialog = { title: `${verb}: ${title}`, confirm, onClose, children: <p>{text}</p> };
  if (action === "run") {
    return (
      <ConfirmDialog
        {...dialog}
        deed={(reason) => runSequence(workflowId, "", reason)}
        onDone={({ id }) =>
          toast(
            <>
              Started{" "}
              <Link to="/instances/$id" params={{ id }}>
                execution {id}
              </Link>
            </>,
          )
        }
      />
    );
  }
  return (
    <ConfirmDialog
      {...dialog}
      danger={action === "deactivate"}
      deed={(reason) => onSequence(action, workflowId, reason)}
      onDone={() => toast(`${title}: ${done}`)}
    />
  );
}
