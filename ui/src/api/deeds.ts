import { api, apiUrl, type Answer, type Operation } from "./client";
import type { BulkRequest, Operations } from "./schema";

/** Something to do: the call, and the command that does the same. */
export interface Deed<O extends Operation = Operation> {
  operation: O;
  path?: Record<string, string | number>;
  body?: Operations[O]["body"];
  /** Words after `millrace`; left out where the command line cannot do it. */
  command?: string[];
}

/** Does it. A repeated click must not do it twice, so a start carries a key made once per deed. */
export function perform<O extends Operation>(deed: Deed<O>, idempotencyKey?: string): Promise<Answer<O>> {
  const call = api as (operation: O, options: object) => Promise<Answer<O>>;
  return call(deed.operation, { path: deed.path ?? {}, body: deed.body, idempotencyKey });
}

/** A word as a POSIX shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function commandText(deed: Deed): string | null {
  return deed.command ? ["millrace", ...deed.command].map(quoted).join(" ") : null;
}

export function curlText(deed: Deed): string {
  const [method = "GET", path = ""] = deed.operation.split(" ");
  const words = ["curl", "-X", method, apiUrl(path, deed.path)].map(quoted);
  words.push("-H", '"Authorization: Bearer $MILLRACE_KEY"');
  if (deed.body !== undefined) {
    words.push("-H", quoted("Content-Type: application/json"), "-d", quoted(JSON.stringify(deed.body)));
  }
  return words.join(" ");
}

const because = (reason: string) => (reason ? ["--reason", reason] : []);
const reasonBody = (reason: string) => (reason ? { reason } : {});

type Simple = "wake" | "cancel" | "pause" | "resume" | "retry";

/** One of the deeds that an instance needs nothing but a reason for. */
export function onInstance(action: Simple, id: number, reason: string) {
  return {
    operation: `POST /instances/{id}/${action}` as const,
    path: { id },
    body: reasonBody(reason),
    command: [action, String(id), ...because(reason)],
  } satisfies Deed;
}

export function move(id: number, state: string, expectedState: string | null, reason: string) {
  return {
    operation: "POST /instances/{id}/move",
    path: { id },
    body: { state, expectedState, ...reasonBody(reason) },
    command: ["move", String(id), state, ...because(reason)],
  } satisfies Deed;
}

export function signal(id: number, name: string, payload: unknown) {
  const hasPayload = payload !== undefined;
  return {
    operation: "POST /instances/{id}/signals",
    path: { id },
    body: hasPayload ? { name, payload } : { name },
    command: ["signal", String(id), name, ...(hasPayload ? ["--payload", JSON.stringify(payload)] : [])],
  } satisfies Deed;
}

export function drain(id: number, reason: string) {
  return {
    operation: "POST /executors/{id}/drain",
    path: { id },
    body: reasonBody(reason),
    command: ["drain", String(id), ...because(reason)],
  } satisfies Deed;
}

export function retryGroup(fingerprint: string, reason: string) {
  return {
    operation: "POST /failures/{fingerprint}/retry",
    path: { fingerprint },
    body: reasonBody(reason),
    command: ["bulk", "retry", "--failure", fingerprint, ...because(reason)],
  } satisfies Deed;
}

/** A filter as the options of the command line: the names are the same, with dashes. */
export function filterOptions(filter: BulkRequest["filter"]): string[] {
  const option = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return Object.entries(filter).flatMap(([name, value]) => {
    if (value === undefined || value === null || value === "") return [];
    if (name === "ids") return (value as number[]).flatMap((id) => ["--id", String(id)]);
    return [value].flat().flatMap((each) => [option(name), String(each)]);
  });
}

export function bulk(request: BulkRequest) {
  const { action, filter, reason, state, expectedCount, dryRun } = request;
  return {
    operation: "POST /bulk",
    body: request,
    command: [
      "bulk",
      action,
      ...filterOptions(filter),
      ...(state ? ["--state-to", state] : []),
      ...because(reason ?? ""),
      ...(dryRun ? ["--dry-run"] : []),
      ...(expectedCount == null ? [] : ["--expect", String(expectedCount)]),
    ],
  } satisfies Deed;
}
