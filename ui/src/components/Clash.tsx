import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { queries } from "../api/queries";
import { Button } from "./Button";
import { whoChanged } from "./changer";

interface Props {
  /** Name of the changed object, as in the audit. */
  name: string;
  /** Time of the read that the user's changes are based on, in milliseconds since 1970. */
  since: number;
  /** Fields that another user has changed, and those of them that this user has changed as well. */
  byThem: readonly string[];
  byBoth: readonly string[];
  onKeep: () => void;
  onDrop: () => void;
}

const list = new Intl.ListFormat("en");

/** Additional time to look back, in milliseconds: an answer may have been read a while before it is shown. */
const slack = 60_000;

/** A warning that another user has saved changes meanwhile; the user chooses which changes stay. */
export function Clash({ name, since, byThem, byBoth, onKeep, onDrop }: Props) {
  const { data } = useQuery(queries.audit({ from: new Date(since - slack).toISOString(), limit: 100 }));
  const who = whoChanged(data?.items ?? [], name);
  return (
    <div className="error-panel" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        <strong>
          {who ?? "Another user"} has changed {name} meanwhile
        </strong>
        <p>
          {byThem.length ? `Changed by that user: ${list.format(byThem)}. ` : ""}
          {byBoth.length
            ? `You have also changed ${list.format(byBoth)}; saving your changes overwrites theirs.`
            : "Your changes do not overlap with theirs."}
        </p>
        <p>Nothing is saved until you press Save again.</p>
        <div className="cell-buttons">
          <Button onClick={onKeep}>Reload and keep my changes</Button>
          <Button onClick={onDrop}>Reload and discard my changes</Button>
        </div>
      </div>
    </div>
  );
}
