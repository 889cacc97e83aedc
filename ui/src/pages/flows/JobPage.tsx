import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";
import { ApiError } from "../../api/client";
import { flowQueries, type Flow, type FoundJob, type Job } from "../../api/flows";
import type { Instance } from "../../api/schema";
import { useMay } from "../../app/session";
import { absoluteText, durationText, useTold, useZone } from "../../app/time";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { errorText } from "../../components/ErrorPanel";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { StatusBadge } from "../../components/StatusBadge";
import { RelativeTime } from "../../components/Time";
import { DeleteJobDialog, RequeueDialog } from "./dialogs";
import "./flows.css";
import { NoRedis } from "./FlowsLoaded";
import { JobFields } from "./JobFields";
import { JobLink } from "./JobLink";
import { JobStateTag } from "./JobState";
import { placeOf } from "./row";
import { useInstances } from "./useInstances";
import { useFlows, usePoll } from "./useFlows";
import { isGone, statesText, whyOf } from "./words";

const route = getRouteApi("/flows/$flow/jobs/$id");

/** The page of one job: its state, its fields, its children and its actions. */
export function JobPage() {
  const { flow, id } = route.useParams();
  const poll = usePoll();
  const [deleted, setDeleted] = useState<string>();
  const job = useQuery({
    ...flowQueries.job(flow, id),
    enabled: deleted !== id,
    // A job that is gone, or an invalid id, stays so.
    refetchInterval: ({ state: { error } }) => (error instanceof ApiError && error.status < 500 ? false : poll),
  });
  const all = useFlows().data;
  const configured = all?.configured ?? true;
  const flows = all?.flows ?? [];
  const gone = job.error instanceof ApiError && job.error.status === 404;
  const found = gone ? undefined : job.data;
  return (
    <Page
      title={`Job ${id}`}
      subtitle="A job of a flow: its state, its data and its children."
      heading={
        <span className="flow-heading">
          <Link to="/flows">Flows</Link>
          <span className="faint" aria-hidden="true">
            /
          </span>
          <FlowLink flows={flows} flow={flow} />
          <span className="faint" aria-hidden="true">
            /
          </span>
          <span className="mono job-id">{id}</span>
          {found && <JobStateTag state={found.state} />}
          <CopyButton text={id} label="Copy the id" />
        </span>
      }
      actions={found && <Actions job={found} flows={flows} onDeleted={() => setDeleted(id)} />}
    >
      {!configured ? (
        <NoRedis />
      ) : gone ? (
        <EmptyState title="Job not found">
          {!job.data && `${errorText(job.error).detail} `}Jobs disappear when they are deleted or their time to live expires.
        </EmptyState>
      ) : (
        <Loaded query={job}>
          {(one) => (
            <>
              <WhyHere job={one} flows={flows} readAt={job.dataUpdatedAt} />
              <Progress job={one} />
              <Facts job={one} flows={flows} />
              <JobFields job={one} />
              {one.children.length > 0 && (
                <Panel title={`Children (${countText(one.children.length)})`}>
                  <p className="muted">{statesText(one.children)}</p>
                  <Tree jobs={one.children} />
                </Panel>
              )}
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}

interface OfJob {
  job: Job;
  flows: readonly Flow[];
}

/** A link to the flow of a job. The flow of a child, with a colon in its name, is a queue of its parent's flow. */
function FlowLink({ flows, flow }: { flows: readonly Flow[]; flow: string }) {
  const place = flow.includes(":") ? placeOf(flows, flow, flow) : undefined;
  if (!place) {
    return (
      <Link to="/flows/$flow" params={{ flow }}>
        {flow}
      </Link>
    );
  }
  return <QueueLink flow={place.flow} queue={flow} />;
}

function QueueLink({ flow, queue }: { flow: string; queue: string }) {
  return (
    <Link to="/flows/$flow/queues/$queue" params={{ flow, queue }}>
      {queue}
    </Link>
  );
}

function WhyHere({ job, flows, readAt }: OfJob & { readAt: number }) {
  const [zone] = useZone();
  const place = placeOf(flows, job.flow, job.queue ?? "");
  const why = (now: number) => whyOf(job, place?.queue, Math.max(0, (now - readAt) / 1_000), (at) => absoluteText(Date.parse(at), zone));
  const text = useTold(() => why(Date.now()).text);
  const { look } = why(Date.now());
  return (
    <div className={`why ${look}`}>
      {look && <TriangleAlert size={16} aria-hidden="true" />}
      <p>{text}</p>
    </div>
  );
}

/** The progress that a worker has reported; hidden once the job waits in the next queue or is completed. */
function Progress({ job: { progress, note, state } }: { job: Job }) {
  if (state === "completed" || state === "waiting" || (progress == null && !note)) return null;
  return (
    <div className="job-progress">
      {progress != null && (
        <>
          <div className="progress" role="progressbar" aria-label="Progress" aria-valuenow={progress} aria-valuemax={100}>
            <div style={{ width: `${Math.min(100, Math.max(0, progress))}%` }} />
          </div>
          <span className="number">{progress} %</span>
        </>
      )}
      {note && <span className="muted">{note}</span>}
    </div>
  );
}

function Facts({ job, flows }: OfJob) {
  const place = job.queue ? placeOf(flows, job.flow, job.queue) : undefined;
  const { state, queue, createdAt, at, ttlSeconds, correlationId, attempts, lockOwner } = job;
  const { maker, started } = useInstances(job);
  const all: [string, ReactNode][] = [
    ["Queue", queue && (place ? <QueueLink flow={place.flow} queue={queue} /> : queue)],
    ["Created", createdAt && <RelativeTime at={createdAt} />],
    [state === "dead" ? "Failed" : "Due", at && <RelativeTime at={at} />],
    ["Attempts", attempts == null ? null : countText(attempts)],
    ["Worker", lockOwner && <span className="mono">{lockOwner}</span>],
    ["Expires in", ttlSeconds == null ? null : <span title="Redis deletes the job then">{durationText(ttlSeconds * 1_000)}</span>],
    ["Correlation id", correlationId && <span className="mono">{correlationId}</span>],
    ["Created by", maker && <InstanceLink instance={maker} />],
    ["Started", started && <InstanceLink instance={started} />],
  ];
  return (
    <dl className="facts">
      {all
        .filter(([, value]) => value)
        .map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A link to a workflow instance that is related to the job. */
function InstanceLink({ instance: { id, type, status } }: { instance: Instance }) {
  return (
    <span className="job-instance">
      <Link to="/instances/$id" params={{ id }}>
        {type} {id}
      </Link>{" "}
      <StatusBadge status={status} />
    </span>
  );
}

/** Number of children shown at first: parents may have thousands. */
const fewChildren = 100;

function Tree({ jobs }: { jobs: readonly FoundJob[] }) {
  const [whole, setWhole] = useState(false);
  return (
    <ul className="job-tree">
      {(whole ? jobs : jobs.slice(0, fewChildren)).map((job) => (
        <li key={`${job.flow} ${job.id}`}>
          <span className="job-leaf">
            <span>{job.flow}</span>{" "}
            {isGone(job) ? (
              <>
                <span className="mono job-id">{job.id}</span> <span className="tag">gone</span>
              </>
            ) : (
              <>
                <JobLink flow={job.flow} id={job.id} /> <JobStateTag state={job.state} />
              </>
            )}
            {job.failedErrorMsg && <span className="muted">{job.failedErrorMsg}</span>}
          </span>
          {job.children.length > 0 && <Tree jobs={job.children} />}
        </li>
      ))}
      {!whole && jobs.length > fewChildren && (
        <li>
          <Button onClick={() => setWhole(true)}>Show all {countText(jobs.length)}</Button>
        </li>
      )}
    </ul>
  );
}

function Actions({ job: { flow, id, state, queue, failedQueue, children }, flows, onDeleted }: OfJob & { onDeleted: () => void }) {
  const may = useMay();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"requeue" | "delete">();
  const place = queue ?? failedQueue;
  const where = place ? placeOf(flows, flow, place) : undefined;
  const close = () => setAsked(undefined);
  return (
    <>
      {state === "dead" && where && may("POST /flows/{flow}/queues/{queue}/requeue") && (
        <Button look="primary" onClick={() => setAsked("requeue")}>
          Requeue…
        </Button>
      )}
      {may("DELETE /flows/{flow}/jobs/{id}") && <Button onClick={() => setAsked("delete")}>Delete…</Button>}
      {asked === "requeue" && where && <RequeueDialog flow={where.flow} queue={where.queue.name} ids={[id]} total={1} onClose={close} />}
      {asked === "delete" && (
        <DeleteJobDialog
          flow={flow}
          id={id}
          children={children.length}
          onDone={() => {
            onDeleted();
            void navigate(where ? { to: "/flows/$flow/queues/$queue", params: { flow: where.flow, queue: where.queue.name } } : { to: "/flows" });
          }}
          onClose={close}
        />
      )}
    </>
  );
}
