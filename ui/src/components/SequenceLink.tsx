import { Link } from "@tanstack/react-router";

/** A link to the page of a workflow made of tasks. */
export function SequenceLink({ workflowId }: { workflowId: string }) {
  return (
    <Link to="/sequences/$workflowId" params={{ workflowId }} title={workflowId}>
      {workflowId}
    </Link>
  );
}
