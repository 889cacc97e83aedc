import { TriangleAlert } from "lucide-react";
import type { SequenceDetail } from "../../api/schema";
import { Button } from "../../components/Button";
import { formOf, joined, type SequenceForm } from "./form";

interface Props {
  base: SequenceForm;
  mine: SequenceForm;
  theirs: SequenceDetail;
  onTake: (form: SequenceForm) => void;
}

const list = new Intl.ListFormat("en");

/** Somebody else has changed the workflow since it was opened here. */
export function Clash({ base, mine, theirs, onTake }: Props) {
  const other = formOf(theirs);
  const { form, byThem, byBoth } = joined(base, mine, other);
  return (
    <div className="error-panel" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        <strong>Somebody else has changed {theirs.workflowId} meanwhile</strong>
        <p>
          {byThem.length ? `Changed there: ${list.format(byThem)}. ` : ""}
          {byBoth.length
            ? `You have changed ${list.format(byBoth)} as well; yours would take the place of theirs.`
            : "Your changes are about something else, so both fit together."}
        </p>
        <p>Nothing is saved before you press Save again.</p>
        <div className="cell-buttons">
          <Button onClick={() => onTake(form)}>Reload, and keep my changes</Button>
          <Button onClick={() => onTake(other)}>Reload, and drop my changes</Button>
        </div>
      </div>
    </div>
  );
}
