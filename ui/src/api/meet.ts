import type { QueryClient } from "@tanstack/react-query";
import { setCsrfToken } from "./client";
import type { Session } from "./schema";

/** A session. Without a user it keeps the session that ended, so that what its user has typed can stay. */
export interface KnownSession extends Session {
  former?: Session;
}

const others = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== "session" };

/**
 * Compares the server's answer about the logged-in user with the known session, and returns the session from now on.
 * Cached data stays for the same user, and is removed when another user logs in.
 */
export function meet(client: QueryClient, answer: Session): KnownSession {
  setCsrfToken(answer.csrfToken); // before the refused requests are repeated below
  const before = client.getQueryData<KnownSession>(["session"]);
  const known = before?.user ? before : before?.former;
  if (!answer.user) return known ? { ...answer, former: known } : answer;
  if (before && known?.user !== answer.user) client.removeQueries(others);
  else if (before && !before.user) void client.invalidateQueries(others); // its last answers were refusals
  return answer;
}

/** Removes the user, who has logged out, and all cached data. */
export function forget(client: QueryClient) {
  client.removeQueries(others);
  client.setQueryData<KnownSession>(["session"], (known) => {
    if (!known) return known;
    const { former: _, ...session } = known;
    return { ...session, user: null, role: null, csrfToken: null };
  });
}
