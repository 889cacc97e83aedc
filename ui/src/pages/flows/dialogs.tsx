import { useQueryClient } from "@tanstack/react-query";
import { deleteJob, flowQueries, pauseQueue, requeueJobs, type Queue } from "../../api/flows";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { countText } from "../../components/number";
import { useToast } from "../../components/Toast";

/** Pauses a queue, or has it go on. */
export function PauseDialog({ flow, queue: { name, paused, pausedWhy, pausedBy }, onClose }: { flow: string; queue: Queue; onClose: () => void }) {
  const toast = useToast();
  return (
    <ConfirmDialog
      title={`${paused ? "Resume" : "Pause"} ${name}`}
      action={(reason) => pauseQueue(flow, name, !paused, reason)}
      confirm={paused ? "Resume" : "Pause"}
      onDone={() => toast(paused ? `${name} goes on` : `${name} is paused`)}
      onClose={onClose}
    >
      {paused ? (
        <p>Workers take jobs from it again at once.{(pausedBy || pausedWhy) && ` It was paused${pausedBy ? ` by ${pausedBy}` : ""}${pausedWhy ? ` because: ${pausedWhy}` : "."}`}</p>
      ) : (
        <p>
          Workers of Millrace end what they have and take nothing more, in all processes, until it is resumed. Jobs still come in.
          Workers in Node.js know nothing of this and go on.
        </p>
      )}
    </ConfirmDialog>
  );
}

/** Has dead jobs tried again: the chosen ones, or all with `ids` null. */
export function RequeueDialog({ flow, queue, ids, total, onDone, onClose }: {
  flow: string;
  queue: string;
  ids: readonly string[] | null;
  /** How many there are in all. */
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
          gone > 0 && `${countText(gone)} forgotten by Redis`,
          held > 0 && `${countText(held)} kept, for another job has the same unique key`,
          left && (ids ? "the others are not dead, or of another flow" : "requeue again for the rest"),
        ].filter((text) => text !== false);
        toast([`${countText(requeued)}${requeued < count ? ` of ${countText(count)}` : ""} requeued in ${queue}`, ...rest].join("; "));
        onDone?.();
      }}
      onClose={onClose}
    >
      <p>
        {count === 1 ? "It loses its error and waits" : "They lose their errors and wait"} in {queue} again, behind all others. A handler
        that has done half of its work does it once more.
      </p>
    </ConfirmDialog>
  );
}

export function DeleteJobDialog({ flow, id, children, onDone, onClose }: {
  flow: string;
  id: string;
  /** How many children it has. */
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
        // Its page, which is being left, must not ask for what is no longer there.
        void client.cancelQueries({ queryKey: flowQueries.job(flow, id).queryKey });
        toast(`Job ${id} is deleted`);
        onDone?.();
      }}
      onClose={onClose}
    >
      <p>
        Its fields and its place in the queues go, and cannot be brought back: <code>{id}</code>. A worker that has it now ends its work, but
        the result is not kept.
      </p>
      {children ? <p>It has {countText(children)} {children === 1 ? "child" : "children"}.</p> : null}
    </ConfirmDialog>
  );
}
