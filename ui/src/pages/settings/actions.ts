import type { Action } from "../../api/actions";
import type { Role } from "../../api/schema";

export function createKey(name: string, role: Role, days: number | null) {
  return { operation: "POST /keys", body: { name, role, days } } satisfies Action;
}

export function deleteKey(id: number) {
  return { operation: "DELETE /keys/{id}", path: { id } } satisfies Action;
}

export function createUser(name: string, role: Role) {
  return { operation: "POST /users", body: { name, role } } satisfies Action;
}

export function changeRole(name: string, role: Role) {
  return { operation: "PATCH /users/{name}", path: { name }, body: { role } } satisfies Action;
}

export function deleteUser(name: string) {
  return { operation: "DELETE /users/{name}", path: { name } } satisfies Action;
}
