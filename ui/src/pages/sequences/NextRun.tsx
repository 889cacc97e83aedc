import type { SequenceSummary } from "../../api/schema";
import { RelativeTime } from "../../components/Time";
import { ZonedTime } from "../../components/ZonedTime";
import { restReason } from "./rest";

/** When it runs next; a schedule that rests says why instead of a time at which nothing will happen. */
export function NextRun({ sequence, relative = false }: { sequence: SequenceSummary; relative?: boolean }) {
  const { nextRun, zone, immediate } = sequence;
  const rests = restReason(sequence);
  if (rests && !immediate) return <span className="faint">rests: {rests}</span>;
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
