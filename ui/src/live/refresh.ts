import type { QueryClient } from "@tanstack/react-query";
import type { Change } from "../api/schema";
import { isSum, touched } from "./touched";

/**
 * Invalidates the queries that a change affects; those on the screen are read again. A running request may have been
 * answered before the change, so another one follows it. It is not aborted, since under constant changes no request
 * would ever finish.
 */
export function refresh(client: QueryClient, change: Change, sums: boolean) {
  const filters = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => isSum(queryKey) === sums && touched(change, queryKey) };
  const late = client.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" });
  void client.invalidateQueries(filters, { cancelRefetch: false });
  for (const { queryKey, promise } of late) {
    const again = () => void client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
    promise?.then(again, again);
  }
}
