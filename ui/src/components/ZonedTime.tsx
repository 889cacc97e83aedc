import { useZone, zoneName } from "../app/time";
import { zonedText } from "./zoned";

interface Props {
  at: string | null | undefined;
  /** That it belongs to. */
  zone?: string;
  /** Without the seconds, which are shown on hover. */
  short?: boolean;
  /** Without the weekday, too. */
  plain?: boolean;
}

/** A moment in the viewer's zone with its weekday; on hover in the zone that it belongs to. */
export function ZonedTime({ at, zone = "UTC", short, plain }: Props) {
  const [choice] = useZone();
  if (!at) return <span className="faint">–</span>;
  return (
    <time dateTime={at} className="time" title={`${zonedText(at, zone)} ${zone}`}>
      {zonedText(at, zoneName(choice), { seconds: !short && !plain, weekday: !plain })}
    </time>
  );
}
