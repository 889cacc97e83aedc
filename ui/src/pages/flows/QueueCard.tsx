import { Link } from "@tanstack/react-router";
import type { Queue } from "../../api/flows";
import { Button } from "../../components/Button";
import { countText } from "../../components/number";
import { QueueTags } from "./QueueTags";
import { rateText } from "./row";
import { jobLists } from "./search";
import { listWords, secondsText } from "./words";

interface Props {
  flow: string;
  queue: Queue;
  /** Queue that jobs go to next, if it is not the one to the right. */
  jump?: string | null;
  /** Called to pause or resume the queue; left out if the user may not. */
  onPause?: (queue: Queue) => void;
}

/** The figures of one queue; each count links to its jobs. */
export function QueueCard({ flow, queue, jump, onPause }: Props) {
  const { name, paused, workers, busy, oldestWaitingSeconds, completedPerMinute, failedPerMinute } = queue;
  const params = { flow, queue: name };
  return (
    <section className={`queue-card ${paused ? "queue-paused" : ""}`} aria-label={`Queue ${name}`}>
      <header>
        <h3>
          <Link to="/flows/$flow/queues/$queue" params={params}>
            {name}
          </Link>
        </h3>
        {onPause && (
          <Button look="quiet" aria-label={`${paused ? "Resume" : "Pause"} ${name}`} onClick={() => onPause(queue)}>
            {paused ? "Resume…" : "Pause…"}
          </Button>
        )}
      </header>
      <dl className="queue-counts">
        {jobLists.map((list) => (
          <div key={list}>
            <dt>{listWords[list].word}</dt>
            <dd className={list === "dead" && queue.dead > 0 ? "queue-dead" : undefined}>
              <Link
                to="/flows/$flow/queues/$queue"
                params={params}
                search={list === "waiting" ? {} : { list }}
                aria-label={`${listWords[list].word} in ${name}: ${countText(queue[list])}`}
              >
                <span className={queue[list] ? undefined : "faint"}>{countText(queue[list])}</span>
              </Link>
            </dd>
          </div>
        ))}
      </dl>
      <p className="queue-facts">
        <span title="Workers of Millrace; workers in Node.js are not counted">
          {workers === 0 ? "no workers" : `${busy} of ${workers} ${workers === 1 ? "worker" : "workers"} busy`}
        </span>
        <span>
          {rateText(completedPerMinute)} completed/min
          {failedPerMinute > 0 && <span className="queue-dead">, {rateText(failedPerMinute)} failed</span>}
        </span>
        {oldestWaitingSeconds != null && queue.waiting > 0 && <span>oldest {secondsText(oldestWaitingSeconds)}</span>}
        {jump && <span>then {jump}</span>}
      </p>
      <QueueTags queue={queue} />
    </section>
  );
}
