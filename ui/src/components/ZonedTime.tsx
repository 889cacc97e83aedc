import { useZone, zoneName } from "../app/time";
import { zonedText } from "./zoned";

interface Props {
  at: string | null | undefined;
  /** Zone of the schedule that the moment belongs to. */
  zone?: string;
  /** True to leave out the seconds, which are shown on hover. */
  short?: boolean;
  /** True to leave out the seconds and the weekday. */
  plain?: boolean;
}

/** A moment in the viewer's zone, with its weekday; on hover in its own zone. */
export function ZonedTime({ at, zone = "UTC", short, plain }: Props) {
  const [choice] = useZone();
  if (!at) return <span className="faint">–</span>;
  return (
    <time dateTime={at} className="time" title={`${zonedText(at, zone)} ${zone}`}>
      {zonedText(at, zoneName(choice), { seconds: !short && !plain, weekday: !plain })}
    </time>
  );
}
