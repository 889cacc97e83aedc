import type { Job } from "../../api/flows";
import type { Instance } from "../../api/schema";

/** What a job tells of the workflow instances that it has to do with. It may be wrong: anybody can write it. */
export interface Told {
  /** The instance whose state has put the job, as its correlation id says. */
  maker?: { type: string; id: number };
  /** The id of the one that the job has started, as its field says once it has gone on. */
  started?: number;
  /** The external id of an instance that is started by the queue where the job is. */
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

/** Whether an instance is the one that has put the job. */
export const isMaker = ({ maker }: Told, instance: Pick<Instance, "id" | "type">) => maker?.id === instance.id && maker.type === instance.type;

/** Whether an instance was started by the job: the database is asked, not the job. */
export function isStartedBy({ flow, id }: Pick<Job, "flow" | "id">, { externalId }: Pick<Instance, "externalId">): boolean {
  return Boolean(externalId?.startsWith(`redis:${flow}:`) && externalId.endsWith(`:${id}`));
}
