import { Link } from "@tanstack/react-router";
import type { SequenceSlot } from "../api/schema";
import { useZone, zoneName } from "../app/time";
import { slotKey, slotTitle, slotsText } from "./slots";
import { zonedText } from "./zoned";
import "./sparks.css";

/**
 * The last slots as bars, the newest on the right. Height and color show the outcome of each. Screen readers read a
 * summary, and the keyboard skips the bars: another page shows the same slots as a list.
 */
export function Sparks({ slots, most = 20 }: { slots: readonly SequenceSlot[]; most?: number }) {
  const [choice] = useZone();
  const zone = zoneName(choice);
  const shown = slots.slice(-most);
  if (shown.length === 0) return <span className="faint">no slots yet</span>;
  return (
    <span className="sparks">
      <span className="sr-only">{slotsText(shown)}</span>
      <span className="spark-bars" aria-hidden="true">
        {shown.map((slot) => {
          const look = `spark spark-${slot.outcome}`;
          const title = slotTitle(slot, (at) => zonedText(at, zone));
          return slot.executionId ? (
            <Link
              key={slotKey(slot)}
              to="/instances/$id"
              params={{ id: slot.executionId }}
              className={look}
              title={title}
              tabIndex={-1}
              preload={false}
            />
          ) : (
            <span key={slotKey(slot)} className={look} title={title} />
          );
        })}
      </span>
    </span>
  );
}
