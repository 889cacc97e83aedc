import { TriangleAlert } from "lucide-react";
import { durationText } from "../../app/time";
import type { Stuck as StuckHandler } from "../../api/schema";

/** A warning about a handler that has been running for too long, with its stack trace. */
export function Stuck({ stuck }: { stuck: StuckHandler }) {
  return (
    <div className="stuck">
      <p>
        <TriangleAlert size={15} aria-hidden="true" /> Its handler in <code>{stuck.state}</code> has been running for{" "}
        {durationText(stuck.runningSeconds * 1000)}.
      </p>
      <details className="trace">
        <summary>Stack trace</summary>
        <pre tabIndex={0}>{stuck.stackTrace.join("\n")}</pre>
      </details>
    </div>
  );
}
