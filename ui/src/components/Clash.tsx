import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { queries } from "../api/queries";
import { Button } from "./Button";
import { whoChanged } from "./changer";

interface Props {
  /** What was changed, as it is called in the audit. */
  name: string;
  /** When it was read on which the changes here are based. */
  since: number;
  /** What somebody else has changed, and which of that was changed here as well. */
  byThem: readonly string[];
  byBoth: readonly string[];
  onKeep: () => void;
  onDrop: () => void;
}

const list = new Intl.ListFormat("en");

/** An answer may have been read a while before it is shown. */
const slack = 60_000;

/** Somebody else has changed meanwhile what is changed here; nothing of either is lost unless one says so. */
export function Clash({ name, since, byThem, byBoth, onKeep, onDrop }: Props) {
  const { data } = useQuery(queries.audit({ from: new Date(since - slack).toISOString(), limit: 100 }));
  const who = whoChanged(data?.items ?? [], name);
  return (
    <div className="error-panel" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        <strong>
          {who ?? "Somebody else"} has changed {name} meanwhile
        </strong>
        <p>
          {byThem.length ? `Changed there: ${list.format(byThem)}. ` : ""}
          {byBoth.length
            ? `You have changed ${list.format(byBoth)} as well; yours would take the place of theirs.`
            : "Your changes are about something else, so both fit together."}
        </p>
        <p>Nothing is saved before you press Save again.</p>
        <div className="cell-buttons">
          <Button onClick={onKeep}>Reload, and keep my changes</Button>
          <Button onClick={onDrop}>Reload, and drop my changes</Button>
        </div>
      </div>
    </div>
  );
}
