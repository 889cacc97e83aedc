import type { SequenceDetail } from "../../api/schema";
import { Clash } from "../../components/Clash";
import { formOf, joined, type SequenceForm } from "./form";

interface Props {
  base: SequenceForm;
  since: number;
  mine: SequenceForm;
  theirs: SequenceDetail;
  onTake: (form: SequenceForm) => void;
}

/** A warning that another user has changed the sequence since it was opened here. */
export function SequenceClash({ base, since, mine, theirs, onTake }: Props) {
  const other = formOf(theirs);
  const { form, ...changed } = joined(base, mine, other);
  return (
    <Clash {...changed} name={theirs.sequenceId} since={since} onKeep={() => onTake(form)} onDrop={() => onTake(other)} />
  );
}
