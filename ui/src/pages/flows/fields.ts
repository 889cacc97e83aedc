/** Names of the fields that the workers write. */
const protocol = new Set(["done", "failed", "failedQueue", "failedErrorMsg", "completed-queue", "correlationId"]);

/** Returns true if a field belongs to the protocol of the queues and not to the creator of the job. */
export function isOfProtocol(name: string): boolean {
  return protocol.has(name) || name.startsWith("children:");
}

/** Returns true if a JSON value fits in one line. */
export function isShort(json: string): boolean {
  return json.length <= 120 && !/^\s*[[{]/.test(json);
}
