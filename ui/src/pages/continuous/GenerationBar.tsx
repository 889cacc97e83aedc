import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { continuousQueries } from "../../api/continuous";
import { absoluteText, durationText, useNow, useZone } from "../../app/time";
import { Button } from "../../components/Button";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Panel } from "../../components/Page";
import { stretches, toneOf, toneWords, type Stretch, type Tone } from "./generations";
import { reasonText } from "./words";

const hour = 3_600_000;
const minute = 60_000;
const ranges = [1, 6, 24];

/** A bar with the runs of the last hours, colored by the reason of their start. */
export function GenerationBar({ name }: { name: string }) {
  const log = useQuery(continuousQueries.log(name, undefined, 200));
  const now = Math.floor(useNow() / minute) * minute + minute; // moves once a minute
  const [chosen, setChosen] = useState<number>();
  const all = stretches(log.data ?? [], now - 24 * hour, now);
  const young = all.length > 0 && all.every(({ from }) => from > now - hour);
  const hours = chosen ?? (young ? 1 : 24);
  return (
    <Panel
      title="Runs"
      actions={
        <span className="button-group" role="group" aria-label="How far back">
          {ranges.map((each) => (
            <Button key={each} aria-pressed={each === hours} onClick={() => setChosen(each)}>
              {each} h
            </Button>
          ))}
        </span>
      }
    >
      <Loaded query={log}>
        {(found) => <Bar all={stretches(found, now - hours * hour, now)} hours={hours} now={now} />}
      </Loaded>
    </Panel>
  );
}

function Bar({ all, hours, now }: { all: Stretch[]; hours: number; now: number }) {
  const length = hours * hour;
  const [zone] = useZone();
  if (all.length === 0) return <p className="muted">No runs in this period.</p>;
  const place = (at: number) => `${((at - (now - length)) / length) * 100}%`;
  const time = (at: number) => absoluteText(at, zone).slice(11, 16);
  const tones = new Map<Tone, number>();
  for (const one of all) tones.set(toneOf(one), (tones.get(toneOf(one)) ?? 0) + 1);
  const title = (one: Stretch) =>
    [
      one.generation === null ? "not running" : `run ${one.generation}, ${toneWords[toneOf(one)]}`,
      `${time(one.from)} to ${one.to === now ? "now" : time(one.to)}, ${durationText(one.to - one.from)}`,
      reasonText(one.reason),
      one.executorId ? `executor ${one.executorId}` : "",
    ]
      .filter(Boolean)
      .join("\n");
  const legend = [...tones].map(([tone, count]) => `${count} ${toneWords[tone]}`).join(", ");
  return (
    <div className="generations">
      <div className="generation-bar" role="img" aria-label={`Runs in ${hours === 1 ? "an hour" : `${hours} hours`}: ${legend}`}>
        {all.map((one) => (
          <span
            key={one.from}
            className={`generation tone-${toneOf(one)}`}
            style={{ left: place(one.from), width: `max(2px, calc(${place(one.to)} - ${place(one.from)} - 1px))` }}
            title={title(one)}
          />
        ))}
      </div>
      <div className="generation-hours faint" aria-hidden="true">
        {[4, 3, 2, 1, 0].map((quarter) => (
          <span key={quarter}>{quarter ? time(now - (quarter * length) / 4) : "now"}</span>
        ))}
      </div>
      <ul className="generation-legend" aria-hidden="true">
        {[...tones].map(([tone, count]) => (
          <li key={tone}>
            <span className={`generation-mark tone-${tone}`} />
            {toneWords[tone]} <b>{countText(count)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
