import { RawJson } from "../../api/rawJson";
import type { RegisteredTask } from "../../api/schema";
import type { TaskBody } from "../../api/taskActions";
import { compact, objectFault, spread } from "../../components/json";

/** A task as typed into the form; delays and limits are in seconds. */
export interface TaskForm {
  name: string;
  type: string;
  component: string;
  channel: string;
  sharesChannel: boolean;
  maxRetries: string;
  firstRetryDelay: string;
  timeout: string;
  dependency: string;
  parameters: string;
}

export function emptyTask(type: string): TaskForm {
  return {
    ...{ name: "", type, component: "", channel: "", sharesChannel: false },
    ...{ maxRetries: "", firstRetryDelay: "", timeout: "", dependency: "0", parameters: "" },
  };
}

const seconds = (milliseconds: number | null | undefined) => (milliseconds == null ? "" : String(milliseconds / 1_000));

export function taskFormOf(task: RegisteredTask): TaskForm {
  return {
    name: task.name,
    type: task.type,
    component: task.component,
    channel: task.channel ?? "",
    sharesChannel: task.sharesChannel,
    maxRetries: task.maxRetries == null ? "" : String(task.maxRetries),
    firstRetryDelay: seconds(task.firstRetryDelayMs),
    timeout: seconds(task.timeoutMs),
    dependency: String(task.dependency),
    parameters: spread(task.parameters),
  };
}

export function taskBody(form: TaskForm): TaskBody {
  const number = (text: string, factor = 1) => (text.trim() === "" ? null : Math.round(Number(text) * factor));
  const parameters = form.parameters.trim();
  return {
    name: form.name.trim(),
    type: form.type.trim(),
    component: form.component.trim(),
    channel: form.channel.trim() || null,
    maxRetries: number(form.maxRetries),
    firstRetryDelayMs: number(form.firstRetryDelay, 1_000),
    timeoutMs: number(form.timeout, 1_000),
    sharesChannel: form.sharesChannel && form.channel.trim() !== "",
    dependency: number(form.dependency) ?? 0,
    ...(parameters && !objectFault(parameters) ? { parameters: new RawJson(compact(parameters)) } : {}),
  };
}

const nameFault = (name: string) =>
  /^[A-Za-z0-9][\w.-]{0,79}$/.test(name.trim())
    ? null
    : "Expected a letter or digit, then at most 79 letters, digits, '_', '.' or '-'.";

/** Returns the error messages by the name of the field. */
export function taskFaults(form: TaskForm): Partial<Record<keyof TaskForm, string>> {
  const channel = form.channel.trim();
  const all: Partial<Record<keyof TaskForm, string | null>> = {
    name: nameFault(form.name),
    type: nameFault(form.type),
    component: form.component.trim() && form.component.trim().length <= 500 ? null : "Expected 1 to 500 characters.",
    channel:
      channel === "" || /^[\w.-]{1,200}$/.test(channel) ? null : "Expected at most 200 letters, digits, '_', '.' or '-'.",
    maxRetries: numberFault(form.maxRetries, /^\d{1,4}$/, 0, 1_000, "a whole number from 0 to 1,000"),
    firstRetryDelay: numberFault(form.firstRetryDelay, /^\d{1,9}(\.\d{1,3})?$/, 0, 1e9, "seconds, 0 or more"),
    timeout: numberFault(form.timeout, /^\d{1,9}(\.\d{1,3})?$/, 0.001, 1e9, "seconds, more than 0"),
    dependency: numberFault(form.dependency, /^-?\d{1,9}$/, -1e9, 1e9, "a whole number"),
    parameters: form.parameters.trim() ? objectFault(form.parameters) : null,
  };
  return Object.fromEntries(Object.entries(all).filter(([, fault]) => fault));
}

function numberFault(text: string, form: RegExp, least: number, most: number, expected: string): string | null {
  const value = text.trim();
  if (!value) return null;
  return form.test(value) && Number(value) >= least && Number(value) <= most ? null : `Expected ${expected}.`;
}

const names: Record<Exclude<keyof TaskForm, "name">, string> = {
  type: "the type",
  component: "the component",
  channel: "the channel",
  sharesChannel: "the sharing of the channel",
  maxRetries: "the retries",
  firstRetryDelay: "the first delay",
  timeout: "the timeout",
  dependency: "the list order",
  parameters: "the parameters",
};

/** Merges the changes of two users. Fields that both have changed are taken from `mine`, and named. */
export function joinedTask(base: TaskForm, mine: TaskForm, theirs: TaskForm) {
  const fields = Object.keys(names) as (keyof typeof names)[];
  const byThem = fields.filter((field) => theirs[field] !== base[field]);
  const byMe = fields.filter((field) => mine[field] !== base[field]);
  const kept = Object.fromEntries(byMe.map((field) => [field, mine[field]])) as Partial<TaskForm>;
  const form: TaskForm = { ...theirs, ...kept };
  const told = (all: typeof fields) => all.map((field) => names[field]);
  return { form, byThem: told(byThem), byBoth: told(byThem.filter((field) => byMe.includes(field))) };
}
