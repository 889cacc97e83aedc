import { absoluteText, durationText, relativeText, useTold, useZone, zoneName } from "../app/time";

function titleOf(at: number, zone: "local" | "utc") {
  const other = zone === "utc" ? "local" : "utc";
  return `${absoluteText(at, zone, true)} ${zoneName(zone)}\n${absoluteText(at, other, true)} ${zoneName(other)}`;
}

/** "3 min ago", with the moment itself on hover. */
export function RelativeTime({ at }: { at: string | null | undefined }) {
  const moment = at ? Date.parse(at) : 0;
  const told = useTold((now) => relativeText(moment, now));
  const [zone] = useZone();
  if (!at) return <span className="faint">–</span>;
  return (
    <time dateTime={at} title={titleOf(moment, zone)} className="time">
      {told}
    </time>
  );
}

/** A moment in the chosen zone, without its day if `after` is on the same day. */
export function AbsoluteTime({
  at,
  milliseconds,
  after,
}: {
  at: string | null | undefined;
  milliseconds?: boolean;
  after?: string;
}) {
  const [zone] = useZone();
  if (!at) return <span className="faint">–</span>;
  const moment = Date.parse(at);
  const text = absoluteText(moment, zone, milliseconds);
  const sameDay = after && absoluteText(Date.parse(after), zone).slice(0, 10) === text.slice(0, 10);
  return (
    <time dateTime={at} title={titleOf(moment, zone)} className="time">
      {sameDay ? text.slice(11) : text}
    </time>
  );
}

/** The duration between two moments; it keeps counting while there is no end. */
export function Duration({ from, to }: { from: string; to?: string | null }) {
  const told = useTold((now) => durationText((to ? Date.parse(to) : now) - Date.parse(from)));
  return <span className="time">{told}</span>;
}
