import type { SequenceSummary } from "../../api/schema";

type Shown = Pick<SequenceSummary, "status" | "active" | "pausedBy" | "pauseReason" | "immediate"> & {
  problem?: string | null;
  zone?: string | null;
};

/** Whether the schedule runs, rests because somebody paused it, or was never to run. */
export function Activity({ sequence }: { sequence: Shown }) {
  const { status, active, pausedBy, pauseReason, immediate, problem, zone } = sequence;
  const [look, word, title] = pausedBy
    ? ["warn", "paused", `Paused by ${pausedBy}${pauseReason ? `: ${pauseReason}` : ""}`]
    : active
      ? status === "ABORTED"
          ? ["", "active", "It is active, but its schedule rests: its last execution was aborted."]
          : ["good", "active", "Its schedule runs."]
        : ["", "inactive", "Nothing begins unless somebody runs it by hand."];
  return (
    <span className="activity">
      <span className={`tag ${look}`} title={title}>
        {word}
      </span>
      {problem && (
        <span className="tag bad" title={problem}>
          {zone ? "cannot run" : "unreadable"}
        </span>
      )}
      {immediate && (
        <span className="tag" title="Somebody has asked for a run before its time.">
          run asked for
        </span>
      )}
    </span>
  );
}
