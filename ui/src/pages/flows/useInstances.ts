import { useQuery } from "@tanstack/react-query";
import type { Job } from "../../api/flows";
import { queries } from "../../api/queries";
import type { Instance } from "../../api/schema";
import { isMaker, isStartedBy, toldOf } from "./instances";

/** Returns an instance; undefined without an id, while it loads, or if it does not exist. */
function useInstance(id: number | undefined): Instance | undefined {
  return useQuery({ ...queries.instance(id ?? 0), enabled: id !== undefined }).data;
}

/** Returns the workflow instances that are related to a job: the one that created it, and the one that it started. */
export function useInstances(job: Job): { maker?: Instance; started?: Instance } {
  const told = toldOf(job);
  const maker = useInstance(told.maker?.id);
  const named = useInstance(told.started);
  const list = queries.instances({ externalId: told.externalId, limit: 1 });
  const found = useQuery({ ...list, enabled: told.externalId !== undefined }).data?.items[0];
  const started = named ?? found;
  return {
    ...(maker && isMaker(told, maker) ? { maker } : {}),
    ...(started && isStartedBy(job, started) ? { started } : {}),
  };
}
