import type { QueryClient } from "@tanstack/react-query";
import { setCsrfToken } from "./client";
import type { Session } from "./schema";

/** A session; without a user it knows whose ended, so that what that user has typed can stay. */
export interface KnownSession extends Session {
  former?: Session;
}

const others = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== "session" };

/**
 * Compares the server's word on who is logged in with what was known, and answers with what is known now.
 * What was read stays for the user who comes back, and goes when it is another one.
 */
export function meet(client: QueryClient, answer: Session): KnownSession {
  setCsrfToken(answer.csrfToken); // at once, since what was refused is asked for again below
  const before = client.getQueryData<KnownSession>(["session"]);
  const known = before?.user ? before : before?.former;
  if (!answer.user) return known ? { ...answer, former: known } : answer;
  if (before && known?.user !== answer.user) client.removeQueries(others);
  else if (before && !before.user) void client.invalidateQueries(others); // its last answers were refusals
  return answer;
}

/** Forgets the user, who has logged out, and what was read. */
export function forget(client: QueryClient) {
  client.removeQueries(others);
  client.setQueryData<KnownSession>(["session"], (known) => {
    if (!known) return known;
    const { former: _, ...session } = known;
    return { ...session, user: null, role: null, csrfToken: null };
  });
}
