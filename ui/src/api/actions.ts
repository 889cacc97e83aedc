import { api, apiUrl, type Answer, type Operation } from "./client";
import { bodyText, RawJson } from "./rawJson";
import type { BulkRequest, Operations } from "./schema";

/** Something to do: the call, and the command that does the same. */
export interface Action<O extends Operation = Operation> {
  operation: O;
  path?: Record<string, string | number>;
  query?: Operations[O]["query"];
  body?: Operations[O]["body"];
  /** What it depends on, such as If-Match. */
  headers?: Record<string, string>;
  /** Words after `millrace`; left out where the command line cannot do it. */
  command?: string[];
}

/** Does it. A repeated click must not do it twice, so a start carries a key made once per action. */
export function perform<O extends Operation>(action: Action<O>, idempotencyKey?: string): Promise<Answer<O>> {
  const call = api as (operation: O, options: object) => Promise<Answer<O>>;
  return call(action.operation, { path: action.path ?? {}, query: action.query, body: action.body, headers: action.headers, idempotencyKey });
}

/** A word as a POSIX shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function commandText(action: Action): string | null {
  return action.command ? ["millrace", ...action.command].map(quoted).join(" ") : null;
}

export function curlText(action: Action): string {
  const [method = "GET", path = ""] = action.operation.split(" ");
  const words = ["curl", "-X", method, apiUrl(path, action.path, action.query)].map(quoted);
  words.push("-H", '"Authorization: Bearer $MILLRACE_API_KEY"');
  for (const [name, value] of Object.entries(action.headers ?? {})) words.push("-H", quoted(`${name}: ${value}`));
  if (action.body !== undefined) {
    words.push("-H", quoted("Content-Type: application/json"), "-d", quoted(bodyText(action.body)));
  }
  return words.join(" ");
}

export const because = (reason: string) => (reason ? ["--reason", reason] : []);
export const reasonBody = (reason: string) => (reason ? { reason } : {});

export type Simple = "wake" | "cancel" | "pause" | "resume" | "retry";

/** One of the actions that an instance needs nothing but a reason for. */
export function onInstance(action: Simple, id: number, reason: string) {
  return {
    operation: `POST /instances/{id}/${action}` as const,
    path: { id },
    body: reasonBody(reason),
    command: [action, String(id), ...because(reason)],
  } satisfies Action;
}

export function move(id: number, state: string, expectedState: string | null, reason: string, force = false) {
  return {
    operation: "POST /instances/{id}/move",
    path: { id },
    body: { state, ...(expectedState ? { expectedState } : {}), ...(force ? { force } : {}), ...reasonBody(reason) },
    command: [
      "move",
      String(id),
      state,
      ...(expectedState ? ["--from", expectedState] : []),
      ...(force ? ["--force"] : []),
      ...because(reason),
    ],
  } satisfies Action;
}

/** The payload is JSON text; empty for none. */
export function signal(id: number, name: string, payload: string) {
  return {
    operation: "POST /instances/{id}/signals",
    path: { id },
    body: payload ? { name, payload: new RawJson(payload) } : { name },
    command: ["signal", String(id), name, ...(payload ? ["--payload", payload] : [])],
  } satisfies Action;
}

/** The values to set are JSON texts. */
export function editVariables(id: number, set: Record<string, string>, remove: string[], reason: string) {
  const values = Object.entries(set);
  return {
    operation: "PATCH /instances/{id}/variables",
    path: { id },
    body: {
      ...(values.length ? { set: Object.fromEntries(values.map(([name, json]) => [name, new RawJson(json)])) } : {}),
      ...(remove.length ? { remove } : {}),
      ...reasonBody(reason),
    },
    command: [
      "variables",
      String(id),
      ...values.flatMap(([name, json]) => ["--set", `${name}=${json}`]),
      ...remove.flatMap((name) => ["--remove", name]),
      ...because(reason),
    ],
  } satisfies Action;
}

/** A start; what is left out is up to the server. */
export interface StartRequest {
  type: string;
  version?: number;
  /** JSON text; empty for none. */
  input: string;
  businessKey?: string;
  externalId?: string;
  priority?: number;
  at?: string;
}

export function start({ type, version, input, businessKey, externalId, priority, at }: StartRequest) {
  const option = (name: string, value: string | number | undefined) =>
    value === undefined || value === "" ? [] : [name, String(value)];
  return {
    operation: "POST /instances",
    body: {
      type,
      ...(version ? { version } : {}),
      ...(input ? { input: new RawJson(input) } : {}),
      ...(businessKey ? { businessKey } : {}),
      ...(externalId ? { externalId } : {}),
      ...(priority === undefined ? {} : { priority }),
      ...(at ? { at } : {}),
    },
    command: [
      "start",
      type,
      ...option("--version-number", version),
      ...option("--input", input),
      ...option("--business-key", businessKey),
      ...option("--external-id", externalId),
      ...option("--priority", priority),
      ...option("--at", at),
    ],
  } satisfies Action;
}

export function drain(id: number, reason: string) {
  return {
    operation: "POST /executors/{id}/drain",
    path: { id },
    body: reasonBody(reason),
    command: ["drain", String(id), ...because(reason)],
  } satisfies Action;
}

/** Has an executor take no new work, or take it again. */
export function cordon(id: number, on: boolean, reason: string) {
  const word = on ? ("cordon" as const) : ("uncordon" as const);
  return {
    operation: `POST /executors/{id}/${word}` as const,
    path: { id },
    body: reasonBody(reason),
    command: [word, String(id), ...because(reason)],
  } satisfies Action;
}

/** The command asks for the number of instances; the call retries the group as it is. */
export function retryGroup(fingerprint: string, count: number | undefined, reason: string) {
  return {
    operation: "POST /failures/{fingerprint}/retry",
    path: { fingerprint },
    body: reasonBody(reason),
    command: ["retry", "--failure", fingerprint, ...confirmed(count), ...because(reason)],
  } satisfies Action;
}

const confirmed = (count: number | null | undefined) => (count == null ? [] : ["--yes", String(count)]);

/** A filter as words of the command line, which calls the search by key "find". */
export function filterOptions(filter: BulkRequest["filter"]): string[] {
  const { variable, value, key, ids, ...rest } = filter;
  const dashed = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return [
    ...(ids ?? []).map(String),
    ...(key ? ["--find", key] : []),
    ...Object.entries(rest).flatMap(([name, one]) =>
      [one ?? []].flat().flatMap((each) => (each === "" ? [] : [dashed(name), String(each)])),
    ),
    ...(variable ? ["--variable", `${variable}=${value ?? ""}`] : []),
  ];
}

/** Does one thing to all instances that match. The payload of a signal is JSON text; empty for none. */
export function bulk(request: BulkRequest, payload = "") {
  const { action, filter, state, signal, reason, expectedCount } = request;
  const more = action === "move" || action === "signal";
  const command = [
    ...(more ? ["bulk", action] : [action]),
    ...filterOptions(filter),
    ...(state ? ["--to", state] : []),
    ...(signal ? ["--signal", signal.name, ...(payload ? ["--payload", payload] : [])] : []),
    ...(filter.ids ? [] : confirmed(expectedCount)),
    ...because(reason ?? ""),
  ];
  return {
    operation: "POST /bulk" as const,
    body: signal && payload ? { ...request, signal: { ...signal, payload: new RawJson(payload) } } : request,
    ...(more && filter.ids ? {} : { command }), // that command takes no ids
  } satisfies Action;
}
