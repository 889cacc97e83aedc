import type { Action } from "./actions";
import type { RawJson } from "./rawJson";
import type { Task } from "./schema";

export type TaskBody = Omit<Task, "parameters"> & { parameters?: RawJson };

/** Returns the action that registers a task or, given a revision, changes that revision. */
export function saveTask(body: TaskBody, revision?: number) {
  const file = `${body.name || "task"}.json`;
  return revision === undefined
    ? ({ operation: "POST /tasks" as const, body, command: ["tasks", "add", file] } satisfies Action)
    : ({
        operation: "PUT /tasks/{name}" as const,
        path: { name: body.name },
        query: { revision },
        body,
        command: ["tasks", "change", file],
      } satisfies Action);
}

export function removeTask(name: string) {
  return { operation: "DELETE /tasks/{name}", path: { name }, command: ["tasks", "remove", name] } satisfies Action;
}

export function addTaskType(name: string) {
  return { operation: "POST /task-types", body: { name } } satisfies Action;
}

export function removeTaskType(type: string) {
  return { operation: "DELETE /task-types/{type}", path: { type } } satisfies Action;
}
