import type { UseQueryResult } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";
import { ReadError } from "./ErrorPanel";

/** Shows the answer of a query, a placeholder while it loads, or the error. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T, Error>; children: (data: T) => ReactNode }) {
  const last = useRef<Error | null>(null);
  // A new attempt starts without the error of the one before. Live updates start one as soon as the last has failed.
  const before = query.errorUpdateCount > 0 ? (query.failureReason ?? last.current) : null;
  last.current = query.error ?? before;
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (last.current) return <ReadError error={last.current} retry={() => void query.refetch()} />;
  return (
    <div className="loading" role="status">
      <span className="sr-only">Loading</span>
    </div>
  );
}
