import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState, type ErrorComponentProps } from "@tanstack/react-router";
import { Menu as MenuIcon, X } from "lucide-react";
import { useEffect, useState } from "react";
import { ApiError, setCsrfToken } from "../api/client";
import { queries } from "../api/queries";
import type { Session } from "../api/schema";
import { Button } from "../components/Button";
import { EmptyState } from "../components/EmptyState";
import { ErrorPanel, errorText } from "../components/ErrorPanel";
import { lazyPart } from "../components/lazyPart";
import { Mark } from "../components/Mark";
import { Page } from "../components/Page";
import { Toasts } from "../components/Toast";
import { LiveUpdates } from "../live/live";
import { LiveIndicator } from "./LiveIndicator";
import { spendLoginToken, useLoginToken } from "./loginLink";
import { placeGroups } from "./places";
import { mayCall, SessionContext } from "./session";
import { useAppliedTheme } from "./theme";
import { useTrouble } from "./trouble";
import { UserMenu } from "./UserMenu";

const LoginPage = lazyPart(() => import("../pages/login/LoginPage"), "LoginPage");
const LoginAbove = lazyPart(() => import("../pages/login/LoginPage"), "LoginAbove");

/**
 * The frame around the pages. Without a login it shows the login form instead of a page. When a session ends, the
 * page and what was typed stay below the form for the same user; a login of another user removes them.
 */
export function Shell() {
  useAppliedTheme();
  const session = useQuery(queries.session());
  const user = session.data?.user ?? null;
  const loginToken = useLoginToken();
  useEffect(() => {
    if (user && loginToken) spendLoginToken(); // a user who is logged in needs no link, now or after a logout
  }, [user, loginToken]);
  if (session.error && !session.data) {
    return (
      <main className="alone">
        <ErrorPanel error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  }
  if (!session.data) return null;
  setCsrfToken(session.data.csrfToken);
  const { former } = session.data;
  const shown = user ? session.data : former;
  if (!shown) {
    return <LoginPage session={session.data} />;
  }
  return (
    <SessionContext key={shown.user} value={shown}>
      <LiveUpdates off={!user}>
        <Toasts>
          <Frame session={shown} />
        </Toasts>
      </LiveUpdates>
      {!user && <LoginAbove session={session.data} user={shown.user ?? ""} />}
    </SessionContext>
  );
}

function Frame({ session }: { session: Session }) {
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => setOpen(false), [path]);
  return (
    <div className="shell">
      {/* A plain "#main" would lead away from the page, because of <base href>. */}
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to content
      </a>
      <header className="side">
        <div className="brand">
          <Mark />
          <span>Millrace</span>
          <Button
            look="quiet"
            className="menu-toggle"
            aria-label={open ? "Close the menu" : "Open the menu"}
            aria-expanded={open}
            icon={open ? <X size={18} aria-hidden="true" /> : <MenuIcon size={18} aria-hidden="true" />}
            onClick={() => setOpen(!open)}
          />
        </div>
        <div className={open ? "side-body open" : "side-body"}>
          <nav aria-label="Pages">
            {placeGroups.map((group) => (
              <div key={group.name} role="group" aria-label={group.name}>
                <p className="place-group" aria-hidden="true">
                  {group.name}
                </p>
                {group.places
                  .filter(({ admin }) => !admin || mayCall(session.role, "GET /settings"))
                  .map(({ to, name, icon: Icon }) => (
                    <Link key={to} to={to} className="place" activeOptions={{ exact: to === "/", includeSearch: false }}>
                      <Icon size={16} aria-hidden="true" />
                      {name}
                    </Link>
                  ))}
              </div>
            ))}
          </nav>
          <div className="side-foot">
            <LiveIndicator />
            <UserMenu />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Trouble />
        {session.notice && <p className="notice">{session.notice}</p>}
        <Outlet />
      </main>
    </div>
  );
}

/** A banner that says why the page is out of date or incomplete. */
function Trouble() {
  const trouble = useTrouble();
  return (
    <div role="alert" className="trouble">
      {trouble && (
        <p className="notice notice-bad">
          <strong>{errorText(trouble).title}.</strong> {trouble instanceof ApiError && `${trouble.message} `}This page may be out
          of date or incomplete. It resumes by itself.
        </p>
      )}
    </div>
  );
}

export function NotFound() {
  return (
    <Page title="Page not found" subtitle="No page has this address.">
      <EmptyState title="There is no page at this address.">
        It may have moved, or the address is incomplete. <Link to="/">Go to the overview</Link>.
      </EmptyState>
    </Page>
  );
}

export function PageFault({ error, reset }: ErrorComponentProps) {
  return (
    <div className="page-body">
      <ErrorPanel error={error} retry={reset} />
    </div>
  );
}
