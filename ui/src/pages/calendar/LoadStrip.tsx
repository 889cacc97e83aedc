import { barsOf, barText, loadText } from "./load";

/** The number of slots planned in each of the next 24 hours. */
export function LoadStrip({ load, now, zone }: { load: readonly number[]; now: number; zone: string }) {
  const bars = barsOf(load, now, zone);
  return (
    <figure className="load-strip">
      <figcaption>
        <b>Next 24 hours</b> <span className="muted">{loadText(bars)}</span>
      </figcaption>
      <div className="load-bars" aria-hidden="true">
        {bars.map((bar, index) => (
          <div key={index} className="load-hour" data-hint={barText(bar)}>
            <div>
              <span className="load-count">{bar.count || ""}</span>
              <span className="load-bar" style={{ height: `${bar.part * 28}px` }} />
            </div>
            <span className="load-time">{index % 3 === 0 ? bar.from : ""}</span>
          </div>
        ))}
      </div>
      <ul className="sr-only">
        {bars
          .filter(({ count }) => count > 0)
          .map((bar, index) => (
            <li key={index}>{barText(bar)}</li>
          ))}
      </ul>
    </figure>
  );
}
