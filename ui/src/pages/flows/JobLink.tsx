import { Link } from "@tanstack/react-router";

/** The id of a job as a link to its page. */
export function JobLink({ flow, id }: { flow: string; id: string }) {
  return (
    <Link to="/flows/$flow/jobs/$id" params={{ flow, id }} className="mono job-id">
      {id}
    </Link>
  );
}
