import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import type { Session } from "./schema";
import { forget, meet } from "./meet";

const session = (user: string | null): Session => ({
  user,
  role: user ? "operator" : null,
  csrfToken: user && `token of ${user}`,
  methods: ["password"],
  version: "1",
});

/** A client that has read something while that user was logged in. */
function readBy(user: string) {
  const client = new QueryClient();
  const next = (answer: Session) => client.setQueryData(["session"], meet(client, answer));
  next(session(user));
  client.setQueryData(["tasks"], "what was read");
  return { client, next, read: () => client.getQueryState(["tasks"]) };
}

it("a session that ends keeps its user and what was read", () => {
  const { next, read } = readBy("ann");
  expect(next(session(null))).toEqual({ ...session(null), former: session("ann") });
  expect(next(session(null))).toEqual({ ...session(null), former: session("ann") });
  expect(read()?.data).toBe("what was read");
});

it("a user who comes back finds what was read, and it is read again", () => {
  const { next, read } = readBy("ann");
  next(session(null));
  expect(read()?.isInvalidated).toBe(false);
  expect(next(session("ann"))).toEqual(session("ann"));
  expect(read()).toMatchObject({ data: "what was read", isInvalidated: true });
});

it.each([true, false])("another user finds nothing of the former's, whose session was seen to end: %s", (seen) => {
  const { next, read } = readBy("ann");
  if (seen) next(session(null));
  expect(next(session("bob"))).toEqual(session("bob"));
  expect(read()).toBeUndefined();
  expect(next(session(null))).toHaveProperty("former.user", "bob");
});

it("a session that goes on changes nothing", () => {
  const { next, read } = readBy("ann");
  next(session("ann"));
  expect(read()).toMatchObject({ data: "what was read", isInvalidated: false });
});

it("a user who logs out is forgotten, even if the session was seen to end before", () => {
  for (const ended of [false, true]) {
    const { client, next, read } = readBy("ann");
    if (ended) next(session(null));
    forget(client);
    expect(read()).toBeUndefined();
    expect(client.getQueryData(["session"])).toEqual(session(null));
    expect(next(session(null))).toEqual(session(null));
  }
});
