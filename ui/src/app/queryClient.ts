import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client";
import type { Session } from "../api/schema";

/** Reads the session again, once, when an answer says that it has ended; this shows the login form. */
function onError(error: Error) {
  if (error instanceof ApiError && error.status === 401 && queryClient.getQueryData<Session>(["session"])?.user !== null) {
    void queryClient.invalidateQueries({ queryKey: ["session"] });
  }
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
    mutations: { retry: false },
  },
});
