import { Link } from "@tanstack/react-router";

/** A link to the page of a task sequence. */
export function SequenceLink({ sequenceId }: { sequenceId: string }) {
  return (
    <Link to="/sequences/$sequenceId" params={{ sequenceId }} title={sequenceId}>
      {sequenceId}
    </Link>
  );
}
