import { bodyText } from "./rawJson";
import type { Operations, Problem } from "./schema";

export type Operation = keyof Operations;
export type Answer<O extends Operation> = Operations[O]["answer"];
type Query = Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>;

type Options<O extends Operation> = {
  query?: Operations[O]["query"];
  body?: Operations[O]["body"];
  idempotencyKey?: string;
  /** Additional request headers, such as If-Match. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
} & (Operations[O]["path"] extends Record<string, never>
  ? { path?: never }
  : { path: Operations[O]["path"] });

/** An error response; its problem details say what is wrong and what to do. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.detail || problem.title);
    this.name = "ApiError";
  }
}

/** A request without a response: the server or the network is down. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The server does not answer", { cause });
    this.name = "Unreachable";
  }
}

/** The server's address including its context path; ends with a slash. */
export function baseUrl(): URL {
  return new URL(".", document.baseURI);
}

/** Returns parameters as a query string: a list repeats its name, unset values are left out. */
export function queryText(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "") search.append(name, String(one));
    }
  }
  const text = search.toString();
  return text ? `?${text}` : "";
}

/** The path of an operation below the base, for example `api/v1/instances/7`. */
export function apiPath(path: string, values: Record<string, string | number> = {}, query: Query = {}) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  return `api/v1${filled}${queryText(query)}`;
}

/** The absolute address of an operation, for links and for commands to copy. */
export function apiUrl(path: string, values: Record<string, string | number> = {}, query: Query = {}) {
  return new URL(apiPath(path, values, query), baseUrl()).href;
}

let csrfToken: string | null = null;

export function setCsrfToken(token: string | null) {
  csrfToken = token;
}

async function problemOf(response: Response): Promise<Problem> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("json")) {
    try {
      return (await response.json()) as Problem;
    } catch {
      // Falls through: the answer was cut off.
    }
  }
  return {
    type: "unknown",
    title: response.statusText || `Status ${response.status}`,
    status: response.status,
    detail: `The server answered with status ${response.status} and no details.`,
  };
}

async function send<O extends Operation>(operation: O, options: Options<O> | undefined): Promise<Response> {
  const [method = "GET", path = ""] = operation.split(" ");
  const headers: Record<string, string> = { accept: "application/json", ...options?.headers };
  if (options?.body !== undefined) headers["content-type"] = "application/json";
  if (options?.idempotencyKey) headers["idempotency-key"] = options.idempotencyKey;
  if (method !== "GET" && csrfToken) headers["x-csrf-token"] = csrfToken;
  const request = fetch(apiUrl(path, options?.path ?? {}, (options?.query ?? {}) as Query), {
    method,
    headers,
    body: options?.body === undefined ? undefined : bodyText(options.body),
    credentials: "same-origin",
    signal: options?.signal,
  });
  const response = await request.catch((fault: unknown) => {
    throw fault instanceof TypeError ? new Unreachable(fault) : fault;
  });
  noteServerTime(response.headers.get("date"));
  if (!response.ok) throw new ApiError(response.status, await problemOf(response));
  return response;
}

type OptionsOf<O extends Operation> = Operations[O]["path"] extends Record<string, never> ? [Options<O>?] : [Options<O>];

/** Calls an operation of the HTTP API. Throws ApiError for an error response, Unreachable if there is no response. */
export async function api<O extends Operation>(operation: O, ...[options]: OptionsOf<O>): Promise<Answer<O>> {
  const response = await send(operation, options);
  return (response.status === 204 ? null : await response.json()) as Answer<O>;
}

/** Calls an operation like `api`, but returns the body unparsed, so that no number loses digits. */
export async function apiText<O extends Operation>(operation: O, ...[options]: OptionsOf<O>): Promise<string> {
  return (await send(operation, options)).text();
}

let offset = 0;

/** Records the offset of the server's clock. The header has whole seconds, so a smaller difference is ignored. */
function noteServerTime(date: string | null) {
  if (!date) return;
  const difference = Date.parse(date) - Date.now();
  offset = Math.abs(difference) > 2_000 ? difference : 0;
}

/** Milliseconds since 1970 by the server's clock. */
export function serverNow(): number {
  return Date.now() + offset;
}
