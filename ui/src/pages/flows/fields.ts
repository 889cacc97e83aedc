/** What the workers write themselves. */
const protocol = new Set(["done", "failed", "failedQueue", "failedErrorMsg", "completed-queue", "correlationId"]);

/** Whether a field belongs to the protocol of the queues, and not to the one who made the job. */
export function isOfProtocol(name: string): boolean {
  return protocol.has(name) || name.startsWith("children:");
}

/** Whether a JSON value needs no lines of its own. */
export function isShort(json: string): boolean {
  return json.length <= 120 && !/^\s*[[{]/.test(json);
}
