// Made from openapi.yaml by tools/schema.mjs.

/** Written into the history. */ export type ReasonText = string | null;
export type Role = "viewer" | "operator" | "admin";
export type Status = "created" | "inProgress" | "executing" | "paused" | "manual" | "finished" | "failed" | "cancelled";
export type Problem = { /** A short name such as not-found, invalid-request, conflict, unauthorized, forbidden, too-large, too-many-requests, unavailable. */ "type": string; "title": string; "status": number; /** What was wrong, what was expected, what to do. */ "detail": string; /** The request's path. */ "instance"?: string; /** One entry a field. */ "errors"?: Array<{ "field": string; "message": string; }>; };
export type Health = { "status": "up" | "down"; "detail"?: string; };
export type Session = { /** Null when nobody is logged in. */ "user": string | null; "role": Role | null; "csrfToken": string | null; /** Ways to log in. */ "methods": Array<"password" | "oidc">; /** Of Millrace. */ "version": string; /** Shown above every page, for example that this is a demo. */ "notice"?: string | null; };
export type Login = { "user": string; "password": string; };
export type Instance = { "id": number; "type": string; "version": number; "status": Status; "state": string; "reason"?: string | null; "businessKey"?: string | null; "externalId"?: string | null; "parentId"?: number | null; "executorGroup": string; "executorId"?: number | null; "priority": number; /** Attempts of the current state so far. */ "attempt": number; /** Number of the last action. */ "seq": number; /** Fingerprint of its failure group. */ "failure"?: string | null; "created": string; "modified": string; /** When the current state was entered. */ "entered"?: string; "ended"?: string | null; "nextActivation"?: string | null; /** signal:NAME, children, or null. */ "waitingFor"?: string | null; "children"?: Children; "progress"?: Progress | null; };
export type Children = { "total": number; "open": number; "failed": number; };
export type Progress = { "done": number; /** 0 when unknown. */ "total": number; "text"?: string | null; };
export type InstancePage = { "items": Array<Instance>; /** Cursor of the next page. */ "next": string | null; };
export type InstanceDetail = Instance & { /** JSON text. */ "input": string | null; "inputSecret"?: boolean; "why": Why; /** What can be done to it now by the caller. */ "allowed": Array<"wake" | "cancel" | "pause" | "resume" | "retry" | "move" | "editVariables" | "signal">; "stuck"?: Stuck | null; };
export type Why = { "kind": "timer" | "signal" | "children" | "executor" | "backingOff" | "paused" | "unknownType" | "executing" | "holderGone" | "manual" | "ended"; /** One sentence for people. */ "sentence": string; "until"?: string | null; "signal"?: string | null; /** The action that helps: wake, signal, resume, retry, move; null for none. */ "unblock"?: "wake" | "signal" | "resume" | "retry" | "move" | null; };
export type Stuck = { "runningSeconds": number; "state": string; "stackTrace": Array<string>; };
export type Action = { "seq": number; "type": "stateExecution" | "stateExecutionFailed" | "recovery" | "cancel" | "pause" | "resume" | "retry" | "move" | "wake" | "editVariables"; "from": string; "to": string; "reason"?: string | null; /** Stack trace. */ "error"?: string | null; "changes"?: Array<VariableChange>; "executorId"?: number | null; "attempt": number; "actor"?: string | null; "started": string; "ended": string; };
export type VariableChange = { "name": string; /** JSON text; null when it was not set. */ "before"?: string | null; /** JSON text; null when it was removed. */ "after"?: string | null; "secret"?: boolean; };
export type Variable = { "name": string; /** JSON text; null when secret. */ "json": string | null; "secret": boolean; };
export type VariableEdit = { "set"?: { [name: string]: unknown }; "remove"?: Array<string>; "reason"?: ReasonText; };
export type Signal = { "id": number; "kind": "signal" | "wake" | "pause"; "name": string; /** JSON text. */ "payload"?: string | null; "at": string; "actor"?: string | null; "reason"?: string | null; "consumedSeq"?: number | null; };
export type SendSignal = { "name": string; /** Any JSON. */ "payload"?: unknown; "key"?: string | null; };
export type LogLine = { "id": number; "at": string; "level": "trace" | "debug" | "info" | "warn" | "error"; "logger": string; "message": string; "state"?: string | null; "attempt"?: number | null; "executorId"?: number | null; };
export type Start = { "type": string; "version"?: number | null; /** Any JSON. */ "input"?: unknown; "variables"?: { [name: string]: unknown } | null; "businessKey"?: string | null; "externalId"?: string | null; "priority"?: number | null; /** First run; now when left out. */ "at"?: string | null; };
export type Started = { "id": number; "created": boolean; };
export type Count = { "count": number; /** There may be more. */ "capped": boolean; };
/** As the parameters of listInstances. */ export type InstanceFilter = { "ids"?: Array<number>; "type"?: Array<string>; "status"?: Array<Status>; "state"?: string; "key"?: string; "businessKey"?: string; "externalId"?: string; "parent"?: number; "executor"?: number; "group"?: string; "failure"?: string; "createdFrom"?: string; "createdTo"?: string; "endedFrom"?: string; "endedTo"?: string; "variable"?: string; "value"?: string; };
export type BulkRequest = { "action": "retry" | "cancel" | "pause" | "resume" | "wake" | "move" | "signal"; "filter": InstanceFilter; /** For move. */ "state"?: string | null; /** For signal. */ "signal"?: SendSignal | null; "reason"?: ReasonText; "dryRun"?: boolean; /** Refused when the count differs, unless the count was capped. */ "expectedCount"?: number | null; };
export type BulkRun = { /** Also the id of its workflow instance. */ "id": number; "action": string; "status": Status; "filter"?: InstanceFilter; /** Counted when it began. */ "total": number; "done": number; "succeeded": number; "refused": number; /** The first hundred. */ "refusals"?: Array<{ "id": number; "message": string; }>; "actor"?: string; "started"?: string; "ended"?: string | null; };
/** Counts by status; a status that is not there counts zero. */ export type StatusCounts = { [name: string]: number };
export type DefinitionSummary = { "type": string; "version": number; "versions": Array<number>; "description"?: string | null; "counts": StatusCounts; /** A live executor has its code. */ "runnable": boolean; };
export type Definition = DefinitionSummary & { "states": Array<DefinitionState>; "transitions": Array<{ "from": string; "to": string; }>; /** Names of secret variables. */ "secrets"?: Array<string>; /** JSON text of the input of a recent instance; null when there is none or it is secret. */ "inputExample"?: string | null; };
export type DefinitionState = { "name": string; "type": "start" | "normal" | "wait" | "manual" | "end"; "maxAttempts": number; "firstRetryDelayMs"?: number; "timeoutMs"?: number | null; "signal"?: string | null; "signalTimeoutMs"?: number | null; "counts": StatusCounts; "timing"?: { "count": number; "failed": number; "p50Ms": number; "p95Ms": number; "maxMs": number; } | null; };
export type Executor = { "id": number; "host": string; "pid": number; "group": string; "status": "alive" | "draining" | "late" | "dead" | "recovered" | "stopped"; "started": string; /** Last heartbeat. */ "active": string; "expires"?: string; "stopped"?: string | null; /** Handlers that run now. */ "running": number; "concurrency": number; /** Instances that it holds. */ "held": number; "version"?: string | null; /** What it can run. */ "types": Array<string>; "drainRequested"?: string | null; "drainDeadline"?: string | null; "drainBy"?: string | null; /** The process that answers. */ "self"?: boolean; };
export type FailureGroup = { "fingerprint": string; "type": string; "state": string; "count": number; "newestId": number; /** Of the newest instance. */ "reason"?: string | null; "first": string; "last": string; };
export type Overview = { /** By the database's clock. */ "now": string; "counts": StatusCounts; /** Ended within the range. */ "ended": StatusCounts; /** Started within the range. */ "started"?: number; /** Since when the longest waiting due instance has been due. */ "oldestDue"?: string | null; "series": Series; "executors": Array<Executor>; "problems": Array<OpenProblem>; /** The five largest groups. */ "failures": Array<FailureGroup>; };
export type Series = { "from": string; "to": string; "stepSeconds": number; /** Gapless, oldest first. */ "buckets": Array<{ "at": string; "started": number; "finished": number; "failed": number; "cancelled": number; /** Mean time from start to end. */ "meanSeconds"?: number | null; }>; };
export type OpenProblem = { "kind": "failureGroup" | "stuck" | "deadExecutor" | "noExecutor" | "unknownType" | "oldWaiting" | "plugin" | "alert"; "severity": "error" | "warning" | "info"; "title": string; /** What is wrong and what to do. */ "detail": string; "since"?: string | null; "instanceId"?: number | null; "executorId"?: number | null; "fingerprint"?: string | null; "count"?: number | null; };
export type AuditPage = { "items": Array<AuditEntry>; "next": string | null; };
export type AuditEntry = { "id": number; "at": string; "actor": string; "action": string; "instanceId"?: number | null; "seq"?: number | null; "target"?: string | null; "reason"?: string | null; /** JSON text. */ "detail"?: string | null; };
export type Settings = { "version": string; /** Without credentials. */ "database"?: string; "entries": Array<{ "key": string; "value": string; "origin": string; "meaning"?: string; }>; "plugins"?: Array<{ "jar": string; "types"?: Array<string>; "problem": string | null; }>; };
export type User = { "name": string; "role": Role; "created": string; };
export type NewUser = User & { "password": string; };
export type ApiKey = { "id": number; "name": string; "role": Role; /** The key's first characters. */ "prefix": string; "created": string; "expires"?: string | null; "lastUsed"?: string | null; };
export type NewApiKey = ApiKey & { "key": string; };
export type Change = { /** Ids that changed; empty with more when there were too many to name. */ "instances"?: Array<number>; "types"?: Array<string>; /** Instances changed beyond those named. */ "more"?: boolean; /** The list of executors changed. */ "executors"?: boolean; };

/** What can be asked, by method and path. */
export interface Operations {
  /** Whether the process is alive. Never looks at the database. */ 
  "GET /health/live": {
    permission: "public";
    path: {  };
    query: {  };
    body: undefined;
    answer: Health;
  };
  /** Whether requests are welcome. 503 while the database does not answer or the server stops. */ 
  "GET /health/ready": {
    permission: "public";
    path: {  };
    query: {  };
    body: undefined;
    answer: Health;
  };
  /** This document. */ 
  "GET /openapi.yaml": {
    permission: "public";
    path: {  };
    query: {  };
    body: undefined;
    answer: null;
  };
  /** Who is logged in, and how one can log in. */ 
  "GET /session": {
    permission: "public";
    path: {  };
    query: {  };
    body: undefined;
    answer: Session;
  };
  /** Logs in with name and password. Limited in number per minute. */ 
  "POST /session": {
    permission: "public";
    path: {  };
    query: {  };
    body: Login;
    answer: Session;
  };
  /** Ends the session. */ 
  "DELETE /session": {
    permission: "public";
    path: {  };
    query: {  };
    body: undefined;
    answer: null;
  };
  /** Changes the password of the user who is logged in, and ends the user's other sessions. */ 
  "PUT /session/password": {
    permission: "viewer";
    path: {  };
    query: {  };
    body: { "old": string; "new": string; };
    answer: null;
  };
  /** Sends the browser to the identity provider. */ 
  "GET /session/oidc": {
    permission: "public";
    path: {  };
    query: { "to"?: string; };
    body: undefined;
    answer: ;
  };
  /** Where the identity provider sends the browser back to. */ 
  "GET /session/oidc/callback": {
    permission: "public";
    path: {  };
    query: { "code"?: string; "state"?: string; "error"?: string; "error_description"?: string; };
    body: undefined;
    answer: ;
  };
  /** Instances that match all given conditions, newest first. */ 
  "GET /instances": {
    permission: "viewer";
    path: {  };
    query: { "type"?: Array<string>; "status"?: Array<Status>; "state"?: string; "key"?: string; "businessKey"?: string; "externalId"?: string; "parent"?: number; "executor"?: number; "group"?: string; "failure"?: string; "createdFrom"?: string; "createdTo"?: string; "endedFrom"?: string; "endedTo"?: string; "variable"?: string; "value"?: string; "limit"?: number; "cursor"?: string; };
    body: undefined;
    answer: InstancePage;
  };
  /** Starts an instance; it is durable when this answers. */ 
  "POST /instances": {
    permission: "operator";
    path: {  };
    query: {  };
    body: Start;
    answer: Started;
  };
  /** How many instances match, counted up to a cap. */ 
  "GET /instances/count": {
    permission: "viewer";
    path: {  };
    query: { "type"?: Array<string>; "status"?: Array<Status>; "state"?: string; "key"?: string; "businessKey"?: string; "externalId"?: string; "parent"?: number; "executor"?: number; "group"?: string; "failure"?: string; "createdFrom"?: string; "createdTo"?: string; "endedFrom"?: string; "endedTo"?: string; "variable"?: string; "value"?: string; "cap"?: number; };
    body: undefined;
    answer: Count;
  };
  /** All matching instances as CSV, or as JSON lines, up to a limit. */ 
  "GET /instances/export": {
    permission: "viewer";
    path: {  };
    query: { "type"?: Array<string>; "status"?: Array<Status>; "state"?: string; "key"?: string; "businessKey"?: string; "externalId"?: string; "parent"?: number; "executor"?: number; "group"?: string; "failure"?: string; "createdFrom"?: string; "createdTo"?: string; "endedFrom"?: string; "endedTo"?: string; "variable"?: string; "value"?: string; "format"?: "csv" | "json"; "max"?: number; };
    body: undefined;
    answer: null;
  };
  /** One instance with its input, and why it is where it is. */ 
  "GET /instances/{id}": {
    permission: "viewer";
    path: { "id": number; };
    query: {  };
    body: undefined;
    answer: InstanceDetail;
  };
  /** The history, oldest first. */ 
  "GET /instances/{id}/actions": {
    permission: "viewer";
    path: { "id": number; };
    query: { "after"?: number; "limit"?: number; };
    body: undefined;
    answer: { "items": Array<Action>; /** Value of after for the next page. */ "next": number | null; };
  };
  /** The variables as they are now. Secret values are not shown. */ 
  "GET /instances/{id}/variables": {
    permission: "viewer";
    path: { "id": number; };
    query: {  };
    body: undefined;
    answer: Array<Variable>;
  };
  /** Sets and removes variables in one history entry. Refused while the instance executes or when it has ended as finished or cancelled. */ 
  "PATCH /instances/{id}/variables": {
    permission: "operator";
    path: { "id": number; };
    query: {  };
    body: VariableEdit;
    answer: null;
  };
  /** The last messages sent to the instance, newest first. */ 
  "GET /instances/{id}/signals": {
    permission: "viewer";
    path: { "id": number; };
    query: { "limit"?: number; };
    body: undefined;
    answer: Array<Signal>;
  };
  /** Sends a signal. The header Idempotency-Key, or key, makes repeating harmless. */ 
  "POST /instances/{id}/signals": {
    permission: "operator";
    path: { "id": number; };
    query: {  };
    body: SendSignal;
    answer: null;
  };
  /** Lines that the instance's handlers logged, oldest first. */ 
  "GET /instances/{id}/logs": {
    permission: "viewer";
    path: { "id": number; };
    query: { "after"?: number; "limit"?: number; };
    body: undefined;
    answer: { "items": Array<LogLine>; /** Value of after for the next page. */ "next": number | null; };
  };
  /** Makes the instance due now. */ 
  "POST /instances/{id}/wake": {
    permission: "operator";
    path: { "id": number; };
    query: {  };
    body: { "reason"?: ReasonText; };
    answer: null;
  };
  /** Ends the instance as cancelled. */ 
  "POST /instances/{id}/cancel": {
    permission: "operator";
    path: { "id": number; };
    query: {  };
    body: { "reason"?: ReasonText; };
    answer: null;
  };
  /** Keeps the instance from running until it is resumed. */ 
  "POST /instances/{id}/pause": {
    permission: "operator";
    path: { "id": number; };
    query: {  };
    body: { "reason"?: ReasonText; };
    answer: null;
  };
  /** Ends a pause. */ 
  "POST /instances/{id}/resume": {
    permission: "operator";
    path: { "id": number; };
    query: {  };
    body: { "reason"?: ReasonText; };
    answer: null;
  };
  /** Runs the current state again now, with fresh attempts. */ 
  "POST /instances/{id}/retry": {
    permission: "operator";
    path: { "id": number; };
    query: {  };
    body: { "reason"?: ReasonText; };
    answer: null;
  };
  /** Moves the instance to a state and makes it due there. */ 
  "POST /instances/{id}/move": {
    permission: "operator";
    path: { "id": number; };
    query: {  };
    body: { "state": string; /** Refused when the instance is elsewhere. */ "expectedState"?: string | null; "reason"?: ReasonText; };
    answer: null;
  };
  /** The last bulk runs, newest first. */ 
  "GET /bulk": {
    permission: "viewer";
    path: {  };
    query: {  };
    body: undefined;
    answer: Array<BulkRun>;
  };
  /** Does one thing to all instances that match. Runs as a workflow instance of its own, so it survives a crash. */ 
  "POST /bulk": {
    permission: "operator";
    path: {  };
    query: {  };
    body: BulkRequest;
    answer: Count | BulkRun;
  };
  /** How far a bulk run is. */ 
  "GET /bulk/{id}": {
    permission: "viewer";
    path: { "id": number; };
    query: {  };
    body: undefined;
    answer: BulkRun;
  };
  /** The newest version of every workflow definition, with counts. */ 
  "GET /definitions": {
    permission: "viewer";
    path: {  };
    query: {  };
    body: undefined;
    answer: Array<DefinitionSummary>;
  };
  /** One definition with its graph, and counts and timings per state. */ 
  "GET /definitions/{type}": {
    permission: "viewer";
    path: { "type": string; };
    query: { "version"?: number; };
    body: undefined;
    answer: Definition;
  };
  /** Processes that work, and those that ended within the last day. */ 
  "GET /executors": {
    permission: "viewer";
    path: {  };
    query: {  };
    body: undefined;
    answer: Array<Executor>;
  };
  /** Asks an executor to stop in good order. */ 
  "POST /executors/{id}/drain": {
    permission: "admin";
    path: { "id": number; };
    query: {  };
    body: { "reason"?: ReasonText; };
    answer: null;
  };
  /** Failed and parked instances grouped by what made them fail, largest group first. */ 
  "GET /failures": {
    permission: "viewer";
    path: {  };
    query: { "type"?: Array<string>; "limit"?: number; };
    body: undefined;
    answer: Array<FailureGroup>;
  };
  /** Retries every instance of a failure group, as a bulk run. */ 
  "POST /failures/{fingerprint}/retry": {
    permission: "operator";
    path: { "fingerprint": string; };
    query: {  };
    body: { "reason"?: ReasonText; };
    answer: BulkRun;
  };
  /** What the first page shows, in one answer. */ 
  "GET /overview": {
    permission: "viewer";
    path: {  };
    query: { "range"?: "1h" | "24h" | "7d" | "30d"; };
    body: undefined;
    answer: Overview;
  };
  /** Starts and ends over time. */ 
  "GET /statistics": {
    permission: "viewer";
    path: {  };
    query: { "range"?: "1h" | "24h" | "7d" | "30d"; "type"?: string; };
    body: undefined;
    answer: Series;
  };
  /** What somebody should look at. */ 
  "GET /problems": {
    permission: "viewer";
    path: {  };
    query: {  };
    body: undefined;
    answer: Array<OpenProblem>;
  };
  /** Who did what, newest first. */ 
  "GET /audit": {
    permission: "viewer";
    path: {  };
    query: { "actor"?: string; "action"?: string; "instance"?: number; "from"?: string; "to"?: string; "limit"?: number; "cursor"?: string; };
    body: undefined;
    answer: AuditPage;
  };
  /** The configuration and where each value comes from. Secrets are masked. */ 
  "GET /settings": {
    permission: "admin";
    path: {  };
    query: {  };
    body: undefined;
    answer: Settings;
  };
  /** The users with a password of their own. */ 
  "GET /users": {
    permission: "admin";
    path: {  };
    query: {  };
    body: undefined;
    answer: Array<User>;
  };
  /** Adds a user. The answer holds the generated password, which is not shown again. */ 
  "POST /users": {
    permission: "admin";
    path: {  };
    query: {  };
    body: { "name": string; "role": Role; };
    answer: NewUser;
  };
  /** Removes a user and ends the user's sessions. The last admin cannot be removed. */ 
  "DELETE /users/{name}": {
    permission: "admin";
    path: { "name": string; };
    query: {  };
    body: undefined;
    answer: null;
  };
  /** The API keys, without their secrets. */ 
  "GET /keys": {
    permission: "admin";
    path: {  };
    query: {  };
    body: undefined;
    answer: Array<ApiKey>;
  };
  /** Makes an API key. The answer holds the key, which is not shown again. */ 
  "POST /keys": {
    permission: "admin";
    path: {  };
    query: {  };
    body: { "name": string; "role": Role; /** Days until it ends; null for never. */ "days"?: number | null; };
    answer: NewApiKey;
  };
  /** Ends an API key at once. */ 
  "DELETE /keys/{id}": {
    permission: "admin";
    path: { "id": number; };
    query: {  };
    body: undefined;
    answer: null;
  };
  /** Server-sent events. Each one says what has changed, so that a page can read it again. */ 
  "GET /events": {
    permission: "viewer";
    path: {  };
    query: { "lastEventId"?: string; };
    body: undefined;
    answer: null;
  };
  /** Metrics in the text format of Prometheus. Outside /api/v1. */ 
  "GET /metrics": {
    permission: "viewer";
    path: {  };
    query: {  };
    body: undefined;
    answer: null;
  };
}
