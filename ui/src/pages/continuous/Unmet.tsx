import { useZone } from "../../app/time";
import { unmetText } from "./words";

/** The conditions that keep the next run from starting. */
export function Unmet({ all }: { all: readonly string[] }) {
  const [zone] = useZone();
  return (
    <ul>
      {all.map((text) => (
        <li key={text}>{unmetText(text, zone)}</li>
      ))}
    </ul>
  );
}
