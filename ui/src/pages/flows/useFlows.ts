import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { flowQueries, type SeenFlows } from "../../api/flows";
import { useLive } from "../../live/live";

/** Returns the polling interval of pages about Redis, in milliseconds; false while the user has paused updates. */
export function usePoll(): number | false {
  return useLive().state === "paused" ? false : 5_000;
}

/** Returns a query of all flows that polls. */
export function useFlows(): UseQueryResult<SeenFlows, Error> {
  return useQuery({ ...flowQueries.all(), refetchInterval: usePoll() });
}
