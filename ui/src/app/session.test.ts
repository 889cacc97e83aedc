import { describe, expect, it } from "vitest";
import type { Operation } from "../api/client";
import { permissions } from "../api/schema";
import { mayCall } from "./session";

describe("permissions", () => {
  it.each<[Operation, boolean, boolean, boolean, boolean]>([
    ["GET /session", true, true, true, true],
    ["GET /instances", false, true, true, true],
    ["POST /instances/{id}/retry", false, false, true, true],
    ["POST /bulk", false, false, true, true],
    ["POST /executors/{id}/drain", false, false, false, true],
    ["DELETE /keys/{id}", false, false, false, true],
  ])("%s: nobody %s, viewer %s, operator %s, admin %s", (operation, nobody, viewer, operator, admin) => {
    expect(mayCall(null, operation)).toBe(nobody);
    expect(mayCall("viewer", operation)).toBe(viewer);
    expect(mayCall("operator", operation)).toBe(operator);
    expect(mayCall("admin", operation)).toBe(admin);
  });

  it("let an admin do everything, and a viewer change nothing but the own password and login", () => {
    const operations = Object.keys(permissions) as Operation[];
    expect(operations.length).toBeGreaterThan(40);
    expect(operations.filter((operation) => !mayCall("admin", operation))).toEqual([]);
    const changes = operations.filter((operation) => !operation.startsWith("GET ") && mayCall("viewer", operation));
    const forStrangers = (operation: string) => operation.startsWith("POST /status-page/");
    expect(changes.filter((operation) => !forStrangers(operation)).sort()).toEqual(["DELETE /session", "POST /reduce-groups/dry-run", "POST /schedules/explain", "POST /session", "POST /session/link", "PUT /session/password"]);
  });
});
