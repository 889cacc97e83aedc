import { useQueryClient } from "@tanstack/react-query";
import { deleteJob, flowQueries, pauseQueue, requeueJobs, type Queue } from "../../api/flows";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { countText } from "../../components/number";
import { useToast } from "../../components/Toast";

/** A dialog that pauses or resumes a queue. */
export function PauseDialog({ flow, queue: { name, paused, pausedWhy, pausedBy }, onClose }: { flow: string; queue: Queue; onClose: () => void }) {
  const toast = useToast();
  return (
    <ConfirmDialog
      title={`${paused ? "Resume" : "Pause"} ${name}`}
      action={(reason) => pauseQueue(flow, name, !paused, reason)}
      confirm={paused ? "Resume" : "Pause"}
      onDone={() => toast(paused ? `Resumed ${name}` : `Paused ${name}`)}
      onClose={onClose}
    >
      {paused ? (
        <p>Workers dequeue jobs from it again immediately.{(pausedBy || pausedWhy) && ` It was paused${pausedBy ? ` by ${pausedBy}` : ""}${pausedWhy ? ` because: ${pausedWhy}` : "."}`}</p>
      ) : (
        <p>
          Workers of Millrace finish their current jobs and dequeue no more, in all processes, until the queue is resumed. New jobs
          are still enqueued. Workers in Node.js do not support pausing and continue.
        </p>
      )}
    </ConfirmDialog>
  );
}

/** A dialog that requeues dead jobs: the selected ones, or all if `ids` is null. */
export function RequeueDialog({ flow, queue, ids, total, onDone, onClose }: {
  flow: string;
  queue: string;
  ids: readonly string[] | null;
  /** Number of all dead jobs of the queue. */
  total: number;
  onDone?: () => void;
  onClose: () => void;
}) {
  const toast = useToast();
  const count = ids?.length ?? total;
  const what = ids?.length === 1 ? "1 dead job" : `${ids ? "" : "all "}${countText(count)} dead jobs`;
  return (
    <ConfirmDialog
      title={`Requeue ${what} of ${queue}`}
      action={(reason) => requeueJobs(flow, queue, ids, reason)}
      confirm={count === 1 ? "Requeue" : `Requeue ${countText(count)}`}
      onDone={({ requeued, gone, held }) => {
        const left = requeued + gone + held < count;
        const rest = [
          gone > 0 && `${countText(gone)} expired in Redis`,
          held > 0 && `${countText(held)} not requeued because another job has the same unique key`,
          left && (ids ? "the others are not dead or belong to another flow" : "requeue again for the rest"),
        ].filter((text) => text !== false);
        toast([`${countText(requeued)}${requeued < count ? ` of ${countText(count)}` : ""} requeued in ${queue}`, ...rest].join("; "));
        onDone?.();
      }}
      onClose={onClose}
    >
      <p>
        {count === 1 ? "The job loses its error and waits" : "The jobs lose their errors and wait"} in {queue} again, behind all others. A
        handler that had done part of its work repeats it.
      </p>
    </ConfirmDialog>
  );
}

export function DeleteJobDialog({ flow, id, children, onDone, onClose }: {
  flow: string;
  id: string;
  /** Number of its children. */
  children?: number;
  onDone?: () => void;
  onClose: () => void;
}) {
  const toast = useToast();
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title="Delete this job"
      action={() => deleteJob(flow, id)}
      confirm="Delete"
      danger
      withReason={false}
      onDone={() => {
        // The job's page, which closes, must not request the deleted job.
        void client.cancelQueries({ queryKey: flowQueries.job(flow, id).queryKey });
        toast(`Deleted job ${id}`);
        onDone?.();
      }}
      onClose={onClose}
    >
      <p>
        Deletes the job <code>{id}</code> with its fields and its place in the queues. This cannot be undone. A worker that is processing
        it finishes, but its result is discarded.
      </p>
      {children ? <p>The job has {countText(children)} {children === 1 ? "child" : "children"}.</p> : null}
    </ConfirmDialog>
  );
}
