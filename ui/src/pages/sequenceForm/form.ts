import { ApiError } from "../../api/client";
import { RawJson } from "../../api/rawJson";
import type { RegisteredTask, SequenceDetail } from "../../api/schema";
import type { SequenceBody } from "../../api/sequenceActions";
import type { ScheduleJson } from "../../api/sequences";
import { compact, objectFault, spread } from "../../components/json";
import { readSchedule, scheduleFaults, writeSchedule, type ScheduleForm } from "./schedule";

export interface SequenceTaskForm {
  /** Identity of the task while it is moved. */
  key: number;
  task: string;
  /** JSON text of an object; empty for none. */
  parameters: string;
}

/** A sequence as typed into the form. */
export interface SequenceForm {
  sequenceId: string;
  type: string;
  sequenceTasks: SequenceTaskForm[];
  active: boolean;
  parameters: string;
  schedule: ScheduleForm;
}

/** Error messages by the path of the field: "sequenceId", "tasks.0.parameters", "schedule.cron". */
export type Faults = Record<string, string>;

let keys = 0;

export function newSequenceTask(task: string, parameters = ""): SequenceTaskForm {
  keys += 1;
  return { key: keys, task, parameters };
}

export function emptyForm(): SequenceForm {
  return { sequenceId: "", type: "", sequenceTasks: [], active: true, parameters: "", schedule: readSchedule({}) };
}

export function formOf(sequence: SequenceDetail): SequenceForm {
  return {
    sequenceId: sequence.sequenceId,
    type: sequence.type,
    sequenceTasks: sequence.sequenceTasks.map(({ task, parameters }) => newSequenceTask(task, spread(parameters))),
    active: sequence.active,
    parameters: spread(sequence.parameters),
    schedule: readSchedule(sequence.schedule as ScheduleJson),
  };
}

export function bodyOf(form: SequenceForm): SequenceBody {
  const json = (text: string) => (text.trim() && !objectFault(text) ? { parameters: new RawJson(compact(text)) } : {});
  return {
    sequenceId: form.sequenceId.trim(),
    type: form.type,
    tasks: form.sequenceTasks.map(({ task, parameters }) => ({ task, ...json(parameters) })),
    schedule: writeSchedule(form.schedule),
    active: form.active,
    ...json(form.parameters),
  };
}

/** Returns the faults of the fields that can be found without the server. */
export function faultsOf(form: SequenceForm, tasks: readonly Pick<RegisteredTask, "name" | "type">[]): Faults {
  const faults: Faults = {};
  if (!/^[A-Za-z0-9][\w.-]{0,149}$/.test(form.sequenceId.trim())) {
    faults.sequenceId = "Expected a letter or digit, then at most 149 letters, digits, '_', '.' or '-'.";
  }
  if (!form.type) faults.type = "Choose a type. All tasks of a sequence have the same type.";
  if (form.sequenceTasks.length === 0) faults.tasks = "At least one task is needed.";
  if (form.sequenceTasks.length > 100) faults.tasks = `There are ${form.sequenceTasks.length} tasks, expected at most 100.`;
  const types = new Map(tasks.map(({ name, type }) => [name, type]));
  form.sequenceTasks.forEach(({ task, parameters }, index) => {
    const type = types.get(task);
    if (type === undefined) faults[`tasks.${index}`] = "The task is not registered. Choose another task.";
    else if (form.type && type !== form.type) faults[`tasks.${index}`] = `The task is of type ${type}, expected ${form.type}.`;
    const fault = parameters.trim() ? objectFault(parameters) : null;
    if (fault) faults[`tasks.${index}.parameters`] = fault;
  });
  const fault = form.parameters.trim() ? objectFault(form.parameters) : null;
  if (fault) faults.parameters = fault;
  for (const [field, text] of Object.entries(scheduleFaults(form.schedule))) faults[`schedule.${field}`] = text;
  return faults;
}

/** Returns the error messages of a server response by field; empty if it names no fields. */
export function serverFaults(error: unknown): Faults {
  if (!(error instanceof ApiError)) return {};
  const { errors, detail } = error.problem;
  if (!errors?.length) {
    const field = fieldIn(detail);
    return field ? { [field]: detail } : {};
  }
  return Object.fromEntries(
    errors.map(({ field, message }) => {
      const path = pathOf(field);
      const sentence = message.replace(/^cannot be used: /, "");
      return path === "schedule" ? [fieldIn(sentence) ?? path, sentence] : [path, message];
    }),
  );
}

/** Returns a path such as "tasks[0].parameters" as "tasks.0.parameters"; `every` is the form's amount. */
function pathOf(field: string): string {
  const path = field.replace(/[[\]/]+/g, ".").replace(/^\.+|\.+$/g, "").replace(/\.{2,}/g, ".");
  return path === "schedule.every" ? "schedule.amount" : path;
}

const places: readonly (readonly [RegExp, string])[] = [
  [/^There is a sequence /, "sequenceId"],
  [/^The id of /, "sequenceId"],
  [/^A schedule: '(\w+)'/, "schedule.$1"],
  [/^A (calendar|holiday|blackout)\b/i, "schedule.calendars"],
  [/^Cron /, "schedule.cron"],
  [/^An interval /, "schedule.amount"],
  [/^A schedule \w+ needs a start/, "schedule.startDate"],
  [/^A schedule \w+ (needs an end|ends on)/, "schedule.endDate"],
];

/** Returns the field that an error message of the server refers to; null if it is unknown. */
function fieldIn(sentence: string): string | null {
  for (const [pattern, place] of places) {
    const match = pattern.exec(sentence);
    if (match) return pathOf(place.replace("$1", match[1] ?? ""));
  }
  return null;
}

/** Returns the list with the entry at `from` moved to `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const one = list[from];
  if (one === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), one, ...rest.slice(to)];
}

const sections = {
  "the type and the tasks": ({ type, sequenceTasks }: SequenceForm) => [type, sequenceTasks.map(({ task, parameters }) => [task, parameters])],
  "the active flag": ({ active }: SequenceForm) => active,
  "the parameters": ({ parameters }: SequenceForm) => parameters,
  "the schedule": ({ schedule }: SequenceForm) => writeSchedule(schedule),
};

type Section = keyof typeof sections;

/**
 * Merges the changes of two users. Sections that only one has changed are taken from that user; sections that both
 * have changed are taken from `mine`, and named.
 */
export function joined(base: SequenceForm, mine: SequenceForm, theirs: SequenceForm) {
  const changed = (form: SequenceForm, section: Section) =>
    JSON.stringify(sections[section](form)) !== JSON.stringify(sections[section](base));
  const all = Object.keys(sections) as Section[];
  const byThem = all.filter((section) => changed(theirs, section));
  const byMe = all.filter((section) => changed(mine, section));
  const source = (section: Section) => (byMe.includes(section) ? mine : theirs);
  const { type, sequenceTasks } = source("the type and the tasks");
  const form: SequenceForm = {
    sequenceId: mine.sequenceId,
    type,
    sequenceTasks,
    active: source("the active flag").active,
    parameters: source("the parameters").parameters,
    schedule: source("the schedule").schedule,
  };
  return { form, byThem, byBoth: byThem.filter((section) => byMe.includes(section)) };
}
