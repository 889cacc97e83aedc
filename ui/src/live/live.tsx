import { useQueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from "react";
import { apiUrl } from "../api/client";
import type { Change } from "../api/schema";
import { usePreference } from "../app/preferences";
import { Gatherer, type Timers } from "./gather";
import { refresh } from "./refresh";
import { listen, type Mode } from "./stream";
import { everything } from "./touched";

/** The state of live updates: "paused" by the user, "hidden" with the tab, otherwise the mode of the stream. */
export type LiveState = Mode | "paused" | "hidden";

interface Live {
  state: LiveState;
  pause(): void;
  resume(): void;
}

const LiveContext = createContext<Live>({ state: "connecting", pause: () => {}, resume: () => {} });

export function useLive(): Live {
  return use(LiveContext);
}

const timers: Timers = {
  set: (action, milliseconds) => window.setTimeout(action, milliseconds),
  clear: (timer) => window.clearTimeout(timer as number),
};

function useVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener("visibilitychange", listener);
      return () => document.removeEventListener("visibilitychange", listener);
    },
    () => document.visibilityState === "visible",
  );
}

/** Refreshes what is shown when the server reports changes, unless paused, hidden or off. */
export function LiveUpdates({ off, children }: { off: boolean; children: ReactNode }) {
  const client = useQueryClient();
  const visible = useVisible();
  const [choice, setChoice] = usePreference<"on" | "paused">("live", "on");
  const [mode, setMode] = useState<Mode>("connecting");
  const listening = visible && choice === "on" && !off;

  useEffect(() => {
    if (!listening) return;
    const end = new AbortController();
    const single = new Gatherer(1_000, (change) => refresh(client, change, false), timers);
    const sums = new Gatherer(3_000, (change) => refresh(client, change, true), timers);
    const changed = (change: Change | "reset") => {
      const what = change === "reset" ? everything : change;
      single.add(what);
      sums.add(what);
    };
    if (client.getQueryCache().findAll().some((query) => query.state.dataUpdatedAt < Date.now() - 2_000)) {
      changed("reset"); // for the changes while updates were off
    }
    listen(new URL(apiUrl("/events")), { changed, mode: setMode }, end.signal);
    return () => {
      end.abort();
      single.stop();
      sums.stop();
    };
  }, [client, listening]);

  const live = useMemo<Live>(
    () => ({
      state: choice === "paused" ? "paused" : visible ? mode : "hidden",
      pause: () => setChoice("paused"),
      resume: () => setChoice("on"),
    }),
    [choice, visible, mode, setChoice],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}
