import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, apiUrl, baseUrl } from "../../api/client";
import { meet } from "../../api/meet";
import { queries } from "../../api/queries";
import type { Session } from "../../api/schema";
import { spendLoginToken, useLoginToken } from "../../app/loginLink";
import { Button } from "../../components/Button";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Mark } from "../../components/Mark";
import "./login.css";

/** Returns the address of the current page, as a path below the server's base. */
function here() {
  return location.href.slice(baseUrl().href.length - 1);
}

export function LoginPage({ session }: { session: Session }) {
  return (
    <main className="login">
      <LoginBox session={session} />
    </main>
  );
}

/** A login form over the page of a user whose session has ended. A login in any tab closes it. */
export function LoginAbove({ session, user }: { session: Session; user: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useQuery({ ...queries.session(), refetchOnWindowFocus: "always" });
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("input[type=password]")?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="login login-above"
      aria-label="Log in again"
      onClose={() => dialog.current?.showModal()} // Escape would show the page
    >
      <LoginBox session={session} former={user} />
    </dialog>
  );
}

function LoginBox({ session, former }: { session: Session; former?: string }) {
  const [user, setUser] = useState(former ?? "");
  const [password, setPassword] = useState("");
  const client = useQueryClient();
  const logIn = useMutation({
    mutationFn: () => api("POST /session", { body: { user, password } }),
    onSuccess: (answer) => client.setQueryData(["session"], meet(client, answer)),
  });
  const link = useMutation({
    mutationFn: (token: string) => api("POST /session/link", { body: { token } }),
    onSuccess: (answer) => client.setQueryData(["session"], meet(client, answer)),
  });
  const linkToken = useLoginToken();
  useEffect(() => {
    const token = linkToken && spendLoginToken();
    if (token) link.mutate(token);
  }, [linkToken]);
  const { methods, notice, version } = session;
  return (
    <div className="login-box">
      <h1>
        <Mark />
        Millrace
      </h1>
      {former !== undefined && (
        <p className="login-notice">Your session has ended. Log in again as {former} to continue where you were.</p>
      )}
      {notice && <p className="login-notice">{notice}</p>}
      {link.isPending && (
        <p className="login-notice" role="status">
          Logging in with the link…
        </p>
      )}
      {link.error && <ErrorPanel error={link.error} />}
      {methods.includes("password") && (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            logIn.mutate();
          }}
        >
          <label className="field">
            <span>User</span>
            <input name="user" autoComplete="username" autoFocus required value={user} onChange={(e) => setUser(e.target.value)} />
          </label>
          <label className="field">
            <span>Password</span>
            <input
              name="password"
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(e) => setPassword(e.target.value)}
            />
          </label>
          {logIn.error && <ErrorPanel error={logIn.error} />}
          <Button type="submit" look="primary" disabled={logIn.isPending}>
            {logIn.isPending ? "Logging in…" : "Log in"}
          </Button>
        </form>
      )}
      {methods.includes("oidc") && (
        <a
          className="button button-plain"
          href={apiUrl("/session/oidc", {}, { to: here() })}
          target={former === undefined ? undefined : "_blank"}
        >
          Log in with the identity provider{former !== undefined && ", in a new tab"}
        </a>
      )}
      {methods.length === 0 && <p>This server accepts only API keys. Use the command line: millrace --help</p>}
      <footer className="faint">Millrace {version}</footer>
    </div>
  );
}
