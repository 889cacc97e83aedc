import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, apiUrl, baseUrl } from "../../api/client";
import type { Session } from "../../api/schema";
import { Button } from "../../components/Button";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Mark } from "../../components/Mark";
import "./login.css";

/** The page the browser shows, as a path below the server's base. */
function here() {
  return location.href.slice(baseUrl().href.length - 1);
}

export function LoginPage({ session }: { session: Session }) {
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  const client = useQueryClient();
  const logIn = useMutation({
    mutationFn: () => api("POST /session", { body: { user, password } }),
    onSuccess: (answer) => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" }); // what somebody else has read
      client.setQueryData(["session"], answer);
    },
  });
  const { methods, notice, version } = session;
  return (
    <main className="login">
      <div className="login-box">
        <h1>
          <Mark />
          Millrace
        </h1>
        {notice && <p className="login-notice">{notice}</p>}
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
          <a className="button button-plain" href={apiUrl("/session/oidc", {}, { to: here() })}>
            Log in with the identity provider
          </a>
        )}
        {methods.length === 0 && <p>This server takes API keys only. Use the command line: millrace --help</p>}
        <footer className="faint">Millrace {version}</footer>
      </div>
    </main>
  );
}
