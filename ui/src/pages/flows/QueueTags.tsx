import { CirclePause, TriangleAlert } from "lucide-react";
import type { Queue } from "../../api/flows";
import { troublesOf } from "./row";

/** Tags of a queue: paused, and its problems. */
export function QueueTags({ queue }: { queue: Queue }) {
  const troubles = troublesOf(queue);
  if (!queue.paused && !troubles.length) return null;
  return (
    <span className="queue-tags">
      {queue.paused && (
        <span className="tag warn" title={queue.pausedWhy ?? undefined}>
          <CirclePause size={13} aria-hidden="true" />
          <span className="queue-why">paused{queue.pausedWhy ? `: ${queue.pausedWhy}` : ""}</span>
        </span>
      )}
      {troubles.map((text) => (
        <span key={text} className="tag warn">
          <TriangleAlert size={13} aria-hidden="true" />
          <span className="queue-why">{text}</span>
        </span>
      ))}
    </span>
  );
}
