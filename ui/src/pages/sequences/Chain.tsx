import { ArrowRight } from "lucide-react";
import { Fragment } from "react";

/** The tasks in their order; a long chain is truncated, and complete on hover. */
export function Chain({ tasks, most = 5 }: { tasks: readonly string[]; most?: number }) {
  const shown = tasks.length > most ? tasks.slice(0, most - 1) : tasks;
  const more = tasks.length - shown.length;
  return (
    <span className="chain" title={tasks.join(" → ")}>
      {shown.map((task, index) => (
        <Fragment key={index}>
          {index > 0 && <ArrowRight size={12} aria-label="then" />}
          <span>{task}</span>
        </Fragment>
      ))}
      {more > 0 && <span className="faint">and {more} more</span>}
    </span>
  );
}
