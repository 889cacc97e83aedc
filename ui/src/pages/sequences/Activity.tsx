import type { SequenceSummary } from "../../api/schema";

type Shown = Pick<SequenceSummary, "status" | "active" | "pausedBy" | "pauseReason" | "runRequested"> & {
  problem?: string | null;
  zone?: string | null;
};

/** Tags for the schedule of a sequence: active, paused or inactive, and its problems. */
export function Activity({ sequence }: { sequence: Shown }) {
  const { status, active, pausedBy, pauseReason, runRequested, problem, zone } = sequence;
  const [look, word, title] = pausedBy
    ? ["warn", "paused", `Paused by ${pausedBy}${pauseReason ? `: ${pauseReason}` : ""}`]
    : active
      ? status === "ABORTED"
          ? ["", "active", "The sequence is active, but its schedule does not run because the last execution was aborted."]
          : ["good", "active", "The schedule runs."]
        : ["", "inactive", "The sequence runs only if a user starts it."];
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
      {runRequested && (
        <span className="tag" title="A run before the next slot was requested.">
          run requested
        </span>
      )}
    </span>
  );
}
