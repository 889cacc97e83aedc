import { membersOf } from "../../components/json";

/** A job of a Redis flow. */
export interface JobRef {
  flow: string;
  id: string;
}

/** Returns the job that has started an instance, by the instance's external id: redis:FLOW:QUEUE:JOB. */
export function starterOf(externalId: string | null | undefined): JobRef | null {
  const [prefix, ...parts] = (externalId ?? "").split(":");
  const id = parts.pop();
  if (prefix !== "redis" || !id || parts.length < 2 || parts.includes("")) return null;
  if (parts.length === 2) return { flow: parts.slice(0, 1).join(), id };
  // A child's flow is its queue, whose name has colons.
  const half = parts.length / 2;
  const flow = parts.slice(0, half).join(":");
  return Number.isInteger(half) && flow === parts.slice(half).join(":") ? { flow, id } : null;
}

/** Returns the id of the job that an instance waits for; null if it does not wait for a job. */
export function awaitedId(waitingFor: string | null | undefined): string | null {
  return /^signal:redisJob-(.+)$/s.exec(waitingFor ?? "")?.[1] ?? null;
}

/** Returns the job with the id, by the variable of the waiting state; null if no variable names it. */
export function awaitedOf(id: string, variables: readonly { name: string; json: string | null }[]): JobRef | null {
  for (const { name, json } of variables) {
    if (!name.startsWith("redisJob-")) continue;
    const part = (wanted: string) => membersOf(json ?? "")?.find((member) => member.name === wanted)?.json ?? "null";
    const flow: unknown = JSON.parse(part("flow"));
    if (JSON.parse(part("id")) === id && typeof flow === "string") return { flow, id };
  }
  return null;
}
