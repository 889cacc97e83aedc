import { Link } from "@tanstack/react-router";
import type { Fire } from "../api/schema";
import { useZone, zoneName } from "../app/time";
import { fireKey, fireTitle, firesText } from "./fires";
import { zonedText } from "./zoned";
import "./sparks.css";

/**
 * The last fires as bars, the newest on the right. Height and color show the outcome of each. Screen readers read a
 * summary, and the keyboard skips the bars: another page shows the same fires as a list.
 */
export function Sparks({ fires, most = 20 }: { fires: readonly Fire[]; most?: number }) {
  const [choice] = useZone();
  const zone = zoneName(choice);
  const shown = fires.slice(-most);
  if (shown.length === 0) return <span className="faint">no fires yet</span>;
  return (
    <span className="sparks">
      <span className="sr-only">{firesText(shown)}</span>
      <span className="spark-bars" aria-hidden="true">
        {shown.map((fire) => {
          const look = `spark spark-${fire.outcome}`;
          const title = fireTitle(fire, (at) => zonedText(at, zone));
          return fire.executionId ? (
            <Link
              key={fireKey(fire)}
              to="/instances/$id"
              params={{ id: fire.executionId }}
              className={look}
              title={title}
              tabIndex={-1}
              preload={false}
            />
          ) : (
            <span key={fireKey(fire)} className={look} title={title} />
          );
        })}
      </span>
    </span>
  );
}
