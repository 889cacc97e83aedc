import { api, apiUrl, type Answer, type Operation } from "./client";
import { bodyText, RawJson } from "./rawJson";
import type { BulkRequest, Operations } from "./schema";

/** An action of a user: the HTTP call that performs it, and the command that does the same. */
export interface Action<O extends Operation = Operation> {
  operation: O;
  path?: Record<string, string | number>;
  query?: Operations[O]["query"];
  body?: Operations[O]["body"];
  /** Additional request headers, such as If-Match. */
  headers?: Record<string, string>;
  /** Words after `millrace`; left out where the command line cannot do it. */
  command?: string[];
}

/** Performs the action. An idempotency key, made once per action, keeps a repeated click from doing it twice. */
export function perform<O extends Operation>(action: Action<O>, idempotencyKey?: string): Promise<Answer<O>> {
  const call = api as (operation: O, options: object) => Promise<Answer<O>>;
  return call(action.operation, { path: action.path ?? {}, query: action.query, body: action.body, headers: action.headers, idempotencyKey });
}

/** Returns the word quoted for a POSIX shell. */
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

/** Returns an action on an instance that takes nothing but a reason. */
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

/** Returns the action that sends a signal. The payload is JSON text; empty for none. */
export function signal(id: number, name: string, payload: string) {
  return {
    operation: "POST /instances/{id}/signals",
    path: { id },
    body: payload ? { name, payload: new RawJson(payload) } : { name },
    command: ["signal", String(id), name, ...(payload ? ["--payload", payload] : [])],
  } satisfies Action;
}

/** Returns the action that changes variables. The values to set are JSON texts. */
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

/** A request to start an instance; the server chooses what is left out. */
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

/** Returns the action that stops an executor from claiming new work, or lets it claim again. */
export function cordon(id: number, on: boolean, reason: string) {
  const word = on ? ("cordon" as const) : ("uncordon" as const);
  return {
    operation: `POST /executors/{id}/${word}` as const,
    path: { id },
    body: reasonBody(reason),
    command: [word, String(id), ...because(reason)],
  } satisfies Action;
}

/** Returns the action that retries a failure group. Only the command confirms the number of instances. */
export function retryGroup(fingerprint: string, count: number | undefined, reason: string) {
  return {
    operation: "POST /failures/{fingerprint}/retry",
    path: { fingerprint },
    body: reasonBody(reason),
    command: ["retry", "--failure", fingerprint, ...confirmed(count), ...because(reason)],
  } satisfies Action;
}

const confirmed = (count: number | null | undefined) => (count == null ? [] : ["--yes", String(count)]);

/** Returns a filter as options of the command line, where the search by key is called "find". */
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

/** Returns an action on all instances that match a filter. The payload of a signal is JSON text; empty for none. */
export function bulk(request: BulkRequest, payload = "") {
  const { action, filter, state, force, signal, reason, expectedCount } = request;
  const more = action === "move" || action === "signal";
  const command = [
    ...(more ? ["bulk", action] : [action]),
    ...filterOptions(filter),
    ...(state ? ["--to", state] : []),
    ...(force ? ["--force"] : []),
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
