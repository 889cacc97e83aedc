import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText, Play } from "lucide-react";
import { Fragment, useState } from "react";
import { calendarQueries } from "../../api/calendar";
import { apiUrl, serverNow } from "../../api/client";
import { onSequence, runSequence } from "../../api/sequenceActions";
import type { Report } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { bytesText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { ScheduleWords } from "../../components/ScheduleWords";
import { SequenceBadge } from "../../components/SequenceBadge";
import { SequenceLink } from "../../components/SequenceLink";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { useToast } from "../../components/Toast";
import { offered } from "../sequences/actions";
import { Activity } from "../sequences/Activity";
import { restReason } from "../sequences/rest";
import { actionText } from "../sequences/words";
import "../sequences/sequences.css";
import "./reports.css";

type Action = "run" | "restart" | "resume" | "activate" | "deactivate";
/** Returns the title of a report, or the id of its sequence if the sequence names no report. */
const nameOf = ({ title, sequenceId }: Report) => title || sequenceId;

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
          <SequenceLink sequenceId={report.sequenceId} />
          <span className="muted">
            <ScheduleWords words={report.words} />
          </span>
        </div>
      ),
    },
    { id: "last", head: "Last end", cell: ({ lastEnded }) => <RelativeTime at={lastEnded} /> },
    { id: "next", head: "Next run", cell: (report) => <Next report={report} /> },
    {
      id: "status",
      head: "Status",
      cell: (report) => (
        <div className="report-status">
          <SequenceBadge status={report.status} paused={report.executionPaused} />
          <Activity sequence={report} />
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
    <Page
      title="Reports"
      subtitle="Sequences that create a report, with the newest PDF of each."
    >
      <Loaded query={reports}>
        {(all) =>
          all.length ? (
            <Panel title="Report sequences">
              <Table label="Reports" columns={columns} rows={all} rowKey={({ sequenceId }) => sequenceId} />
            </Panel>
          ) : (
            <EmptyState title="No report sequences" command="millrace reports list">
              A sequence with the tasks KPI and PDF creates a report. It appears here with its newest PDF.
            </EmptyState>
          )
        }
      </Loaded>
      {asked && <Ask {...asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

/** The next run of a report, or the reason why its schedule does not run. */
function Next({ report }: { report: Report }) {
  const rests = restReason(report);
  return rests ? <span className="faint">not scheduled: {rests}</span> : <RelativeTime at={report.nextRun} />;
}

function Pdf({ report: { executionId, files } }: { report: Report }) {
  if (!executionId || !files.length) return <span className="faint">none yet</span>;
  return (
    <div className="report-name">
      {files.map(({ report, fileName, size, created }) => (
        <Fragment key={report}>
          <a
            href={apiUrl("/reports/{id}/pdf", { id: executionId }, files.length > 1 ? { report } : {})}
            download
            className="report-pdf"
          >
            <FileText size={14} aria-hidden="true" />
            {fileName}
          </a>
          <span className="faint">
            {bytesText(size)}, <RelativeTime at={created} />
          </span>
        </Fragment>
      ))}
    </div>
  );
}

/** Actions with a button in each row; further actions are on the page of the sequence. */
const offers: readonly Action[] = ["restart", "resume", "run", "activate", "deactivate"];

function Actions({ report, ask }: { report: Report; ask: (action: Action) => void }) {
  const possible = offered(report.actions, useMay());
  return (
    <span className="cell-buttons">
      {offers
        .filter((action) => possible.includes(action))
        .map((action) => (
          <Button
            key={action}
            icon={action === "run" && <Play size={13} aria-hidden="true" />}
            aria-label={action === "run" ? `Run now: ${nameOf(report)}` : `${verbs[action].verb} ${nameOf(report)}`}
            onClick={() => ask(action)}
          >
            {verbs[action].verb}
          </Button>
        ))}
    </span>
  );
}

const verbs: Record<Action, { verb: string; done: string }> = {
  run: { verb: "Run now", done: "started" },
  restart: { verb: "Restart", done: "restarted" },
  resume: { verb: "Resume", done: "resumed" },
  activate: { verb: "Activate", done: "activated" },
  deactivate: { verb: "Deactivate", done: "deactivated" },
};

function Ask({ action, report, onClose }: Asked & { onClose: () => void }) {
  const toast = useToast();
  const { sequenceId } = report;
  const title = nameOf(report);
  const { verb, done } = verbs[action];
  const text = actionText(action, report, serverNow());
  const dialog = { title: `${verb}: ${title}`, confirm: verb, onClose, children: <p>{text}</p> };
  if (action === "run") {
    return (
      <ConfirmDialog
        {...dialog}
        action={(reason) => runSequence(sequenceId, "", reason)}
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
      action={(reason) => onSequence(action, sequenceId, reason)}
      onDone={() => toast(`${title}: ${done}`)}
    />
  );
}
