import type { QueryClient } from "@tanstack/react-query";
import type { Change } from "../api/schema";
import { isSum, touched } from "./touched";

/**
 * Marks what a change touched as old; what is on the screen is read again. A request that is under
 * way may have been answered before the change, so it is followed by another one; it is not cut off,
 * since under constant changes none would ever come to its end.
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
