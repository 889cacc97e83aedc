import { createContext, use } from "react";
import type { Operation } from "../api/client";
import { permissions, type Role, type Session } from "../api/schema";

const rank: Record<"public" | Role, number> = { public: 0, viewer: 1, operator: 2, admin: 3 };

/** Returns true if a role may call an operation. */
export function mayCall(role: Role | null, operation: Operation): boolean {
  return rank[permissions[operation]] <= (role ? rank[role] : 0);
}

export const SessionContext = createContext<Session | null>(null);

/** Returns the session of the logged-in user. Works only below the shell, which shows the login form without one. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("No session: useSession must be called below the shell.");
  return session;
}

/** Returns a test that is true if the user may call an operation; buttons for other operations are hidden. */
export function useMay(): (operation: Operation) => boolean {
  const { role } = useSession();
  return (operation) => mayCall(role, operation);
}
