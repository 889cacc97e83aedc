import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { flowQueries, type SeenFlows } from "../../api/flows";
import { useLive } from "../../live/live";

/** How often what Redis holds is asked for; false while the user has paused that. */
export function usePoll(): number | false {
  return useLive().state === "paused" ? false : 5_000;
}

/** All flows, read again and again. */
export function useFlows(): UseQueryResult<SeenFlows, Error> {
  return useQuery({ ...flowQueries.all(), refetchInterval: usePoll() });
}
