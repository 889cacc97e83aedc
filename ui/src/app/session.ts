import { createContext, use } from "react";
import type { Operation } from "../api/client";
import { permissions, type Role, type Session } from "../api/schema";

const rank: Record<"public" | Role, number> = { public: 0, viewer: 1, operator: 2, admin: 3 };

/** Whether a role may call an operation. */
export function mayCall(role: Role | null, operation: Operation): boolean {
  return rank[permissions[operation]] <= (role ? rank[role] : 0);
}

export const SessionContext = createContext<Session | null>(null);

/** Who is logged in. Only below the shell, which shows the login form to anybody else. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("no session here: useSession is for what the shell contains");
  return session;
}

/** Tells whether the user may call an operation; a button that calls another one is not shown. */
export function useMay(): (operation: Operation) => boolean {
  const { role } = useSession();
  return (operation) => mayCall(role, operation);
}
