import { ArrowRight } from "lucide-react";
import { useState } from "react";
import type { Flow, Queue } from "../../api/flows";
import { useMay } from "../../app/session";
import { PauseDialog } from "./dialogs";
import { QueueCard } from "./QueueCard";
import { stagesOf } from "./row";

/** The queues of a flow from left to right, each with the queues of its children below. */
export function FlowRow({ flow: { name, queues } }: { flow: Flow }) {
  const may = useMay()("POST /flows/{flow}/queues/{queue}/pause");
  const [asked, setAsked] = useState<Queue>();
  const onPause = may ? setAsked : undefined;
  return (
    <div className="flow-box">
      <ol className="flow-row" aria-label={`Queues of ${name}`}>
        {stagesOf(queues).map(({ queue, onward, jump, children }) => (
          <li key={queue.name}>
            <div className="flow-stage">
              <QueueCard flow={name} queue={queue} jump={jump} onPause={onPause} />
              {children.length > 0 && (
                <ul className="flow-children" aria-label={`Children of ${queue.name}`}>
                  {children.map((child) => (
                    <li key={child.name}>
                      <QueueCard flow={name} queue={child} onPause={onPause} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
            {onward && (
              <span className={`flow-arrow flow-${onward}`} title={onward === "next" ? "then" : "only if a result names it"}>
                <ArrowRight size={16} role="img" aria-label={onward === "next" ? "then" : "only if a result names it"} />
              </span>
            )}
          </li>
        ))}
      </ol>
      {asked && <PauseDialog flow={name} queue={asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
