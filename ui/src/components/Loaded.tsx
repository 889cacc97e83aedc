import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorPanel } from "./ErrorPanel";

/** Shows the answer of a query; while there is none a quiet placeholder, or what went wrong. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T, Error>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className="loading" role="status">
      <span className="sr-only">Loading</span>
    </div>
  );
}
