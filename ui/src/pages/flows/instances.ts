import type { Job } from "../../api/flows";
import type { Instance } from "../../api/schema";

/** The workflow instances that a job names. They may be wrong: any client of Redis can write them. */
export interface Told {
  /** Instance that created the job, by the job's correlation id. */
  maker?: { type: string; id: number };
  /** Id of the instance that the job has started, by a field of the job. */
  started?: number;
  /** External id of the instance that the job's current queue starts for it. */
  externalId?: string;
}

const digits = /^[1-9]\d{0,15}$/;

export function toldOf({ flow, id, queue, correlationId, fields }: Pick<Job, "flow" | "id" | "queue" | "correlationId" | "fields">): Told {
  const [, type, maker] = /^workflow:(.+):([1-9]\d{0,15})$/s.exec(correlationId ?? "") ?? [];
  const started = fields.find(({ name }) => name === "workflow")?.json ?? "";
  return {
    ...(type && maker ? { maker: { type, id: Number(maker) } } : {}),
    ...(digits.test(started) ? { started: Number(started) } : queue ? { externalId: `redis:${flow}:${queue}:${id}` } : {}),
  };
}

/** Returns true if the instance is the one that created the job. */
export const isMaker = ({ maker }: Told, instance: Pick<Instance, "id" | "type">) => maker?.id === instance.id && maker.type === instance.type;

/** Returns true if the instance was started by the job, by the instance's own external id. */
export function isStartedBy({ flow, id }: Pick<Job, "flow" | "id">, { externalId }: Pick<Instance, "externalId">): boolean {
  return Boolean(externalId?.startsWith(`redis:${flow}:`) && externalId.endsWith(`:${id}`));
}
