import { Link } from "@tanstack/react-router";

/** A job by its id, with the way to its page. */
export function JobLink({ flow, id }: { flow: string; id: string }) {
  return (
    <Link to="/flows/$flow/jobs/$id" params={{ flow, id }} className="mono job-id">
      {id}
    </Link>
  );
}
