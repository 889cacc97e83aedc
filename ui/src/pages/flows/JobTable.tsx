import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { flowQueries, type JobList, type Queue, type QueueJob } from "../../api/flows";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { DeleteJobDialog, RequeueDialog } from "./dialogs";
import { JobLink } from "./JobLink";
import { usePoll } from "./useFlows";
import { listWords, secondsText } from "./words";

const none = <span className="faint">–</span>;

const link: Column<QueueJob> = { id: "id", head: "Job", cell: ({ flow, id }) => <JobLink flow={flow} id={id} /> };
const of: Column<QueueJob> = { id: "flow", head: "Flow", grow: true, cell: ({ flow }) => flow };
const created: Column<QueueJob> = { id: "created", head: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> };

const columns: Record<JobList, Column<QueueJob>[]> = {
  waiting: [link, of, created],
  processing: [
    link,
    { id: "owner", head: "Worker", grow: true, cell: ({ lockOwner }) => (lockOwner ? <span className="mono job-id">{lockOwner}</span> : <span className="tag warn">no lock</span>) },
    { id: "lock", head: "Lock expires in", align: "right", cell: ({ lockSeconds }) => (lockSeconds == null ? none : <span className="time">{secondsText(lockSeconds)}</span>) },
    created,
  ],
  delayed: [link, of, { id: "at", head: "Due", cell: ({ at }) => <RelativeTime at={at} /> }, created],
  dead: [
    link,
    { id: "error", head: "Error", grow: true, cell: ({ error }) => (error ? <span className="reason" title={error}>{error}</span> : none) },
    { id: "at", head: "Failed", cell: ({ at }) => <RelativeTime at={at} /> },
  ],
};

/** The jobs of one list of a queue, page by page; dead jobs can be selected. */
export function JobTable({ flow, queue, list }: { flow: string; queue: Queue; list: JobList }) {
  const mayRequeue = useMay()("POST /flows/{flow}/queues/{queue}/requeue") && list === "dead";
  const identity = `${flow} ${queue.name} ${list}`;
  const paging = usePaging(identity);
  const jobs = useQuery({
    ...flowQueries.list(flow, queue.name, list, paging.cursor),
    placeholderData: keepPreviousData,
    refetchInterval: usePoll(),
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [requeuing, setRequeuing] = useState<{ ids: string[] | null }>();
  const [deleting, setDeleting] = useState<QueueJob>();
  const items = jobs.data?.items ?? [];
  const ids = items.map(({ id }) => id).filter((id) => chosen.has(id));
  const choose = (some: readonly string[], on: boolean) =>
    setChosen((before) => new Set(on ? [...before, ...some] : [...before].filter((id) => !some.includes(id))));
  const actions: Column<QueueJob> = {
    id: "actions",
    head: <span className="sr-only">Actions</span>,
    align: "right",
    cell: (job) => (
      <span className="cell-buttons">
        <Button aria-label={`Requeue ${job.id}`} onClick={() => setRequeuing({ ids: [job.id] })}>
          Requeue…
        </Button>
        <Button aria-label={`Delete ${job.id}`} onClick={() => setDeleting(job)}>
          Delete…
        </Button>
      </span>
    ),
  };
  const check: Column<QueueJob> = {
    id: "check",
    head: (
      <input
        type="checkbox"
        className="job-check"
        aria-label="All on this page"
        checked={ids.length > 0 && ids.length === items.length}
        onChange={({ target }) => choose(items.map(({ id }) => id), target.checked)}
      />
    ),
    cell: ({ id }) => <input type="checkbox" className="job-check" aria-label={`Select ${id}`} checked={chosen.has(id)} onChange={({ target }) => choose([id], target.checked)} />,
  };
  const { word, none: nothing, help } = listWords[list];
  const title = `${word} in ${queue.name}`;
  return (
    <Panel
      title={title}
      actions={
        mayRequeue &&
        queue.dead > 0 && (
          <>
            <Button disabled={!ids.length} onClick={() => setRequeuing({ ids })}>
              Requeue {ids.length ? countText(ids.length) : "selected"}…
            </Button>
            <Button onClick={() => setRequeuing({ ids: null })}>Requeue all…</Button>
          </>
        )
      }
    >
      <Loaded query={jobs}>
        {({ next }) =>
          items.length || paging.page > 0 ? (
            <>
              {items.length > 0 ? (
                <Table
                  label={title}
                  columns={mayRequeue ? [check, ...columns[list], actions] : columns[list]}
                  rows={items}
                  rowKey={({ flow: one, id }) => `${one} ${id}`}
                />
              ) : (
                <p className="muted">No more jobs.</p>
              )}
              {(next || paging.page > 0) && (
                <div className="panel-paging">
                  <PagingFoot paging={paging} next={next ?? null} words={["Back", "More"]}>
                    <span>{help}</span>
                  </PagingFoot>
                </div>
              )}
            </>
          ) : (
            <EmptyState title={nothing}>{help}</EmptyState>
          )
        }
      </Loaded>
      {requeuing && (
        <RequeueDialog
          flow={flow}
          queue={queue.name}
          ids={requeuing.ids}
          total={queue.dead}
          onDone={() => setChosen(new Set())}
          onClose={() => setRequeuing(undefined)}
        />
      )}
      {deleting && <DeleteJobDialog flow={deleting.flow} id={deleting.id} onClose={() => setDeleting(undefined)} />}
    </Panel>
  );
}
