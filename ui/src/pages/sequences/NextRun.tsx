import type { SequenceSummary } from "../../api/schema";
import { RelativeTime } from "../../components/Time";
import { ZonedTime } from "../../components/ZonedTime";
import { restReason } from "./rest";

/** The next run of a sequence, or the reason why its schedule does not run. */
export function NextRun({ sequence, relative = false }: { sequence: SequenceSummary; relative?: boolean }) {
  const { nextRun, zone, runRequested } = sequence;
  const rests = restReason(sequence);
  if (rests && !runRequested) return <span className="faint">not scheduled: {rests}</span>;
  return (
    <>
      <ZonedTime at={nextRun} zone={zone} short={relative} />
      {relative && nextRun && (
        <span className="faint">
          <RelativeTime at={nextRun} />
        </span>
      )}
    </>
  );
}
