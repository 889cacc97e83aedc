import type { Change } from "../api/schema";

/** The way in which changes reach this tab at the moment. */
export type Mode = "connecting" | "live" | "polling" | "silent";

type Message = { id: string; change: Change | "reset" };

/** A message between tabs; "who" asks the tab with the connection for its mode. */
type Word = Message | { mode: Mode } | "poll" | "who";

export interface Listener {
  changed(change: Change | "reset"): void;
  mode(mode: Mode): void;
}

const pollMilliseconds = 5_000;
const retryMilliseconds = 30_000;
/** Silence after which the connection counts as dead; the server sends an event at least every two seconds. */
const silenceMilliseconds = 4_500;

/**
 * Listens to the server's events for as long as the signal lasts. One tab of a browser holds the
 * lock and with it the only connection; it passes events on to the others. Where the browser
 * has no locks (a plain http address) every tab has its own connection. Where events do not
 * arrive, all tabs read everything again every five seconds.
 */
export function listen(address: URL, listener: Listener, signal: AbortSignal) {
  const channel = navigator.locks ? new BroadcastChannel(`millrace ${address.href}`) : null;
  let lastId = "";
  const hear = ({ id, change }: Message) => {
    lastId = id || lastId;
    listener.mode("live");
    listener.changed(change);
  };
  const say = (word: Word) => channel?.postMessage(word);
  channel?.addEventListener("message", ({ data }: MessageEvent<Word>) => {
    if (data === "poll") listener.changed("reset");
    else if (data !== "who") "mode" in data ? listener.mode(data.mode) : hear(data);
  });
  signal.addEventListener("abort", () => channel?.close());

  const lead = () =>
    new Promise<void>((done) => {
      let mode: Mode = "connecting";
      const turn = (next: Mode) => {
        mode = next;
        listener.mode(mode);
        say({ mode });
      };
      const stop = connect(address, () => lastId, {
        heard: (message) => {
          hear(message);
          say(message);
        },
        opened: () => turn("live"),
        failed: () => turn("polling"),
        fellSilent: () => turn("silent"),
        poll: () => {
          listener.changed("reset");
          say("poll");
        },
      });
      channel?.addEventListener("message", ({ data }: MessageEvent<Word>) => {
        if (data === "who") say({ mode });
      });
      signal.addEventListener("abort", () => {
        stop();
        done();
      });
    });

  listener.mode("connecting");
  if (!navigator.locks) {
    void lead();
    return;
  }
  say("who");
  navigator.locks.request(`millrace ${address.href}`, { signal }, lead).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

interface Hearing {
  heard(message: Message): void;
  opened(): void;
  failed(): void;
  fellSilent(): void;
  poll(): void;
}

/** Keeps one connection open; returns the function that closes it. */
function connect(address: URL, lastId: () => string, hearing: Hearing): () => void {
  let source: EventSource;
  let poll: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const settle = () => {
    clearInterval(poll);
    clearTimeout(retry);
    clearTimeout(silence);
    poll = undefined;
    retry = undefined;
  };
  /** Restarts the timer for silence: a stopped process keeps its connections, so only silence reveals it. */
  const alive = () => {
    if (poll !== undefined) hearing.opened();
    settle();
    silence = setTimeout(() => {
      hearing.fellSilent();
      poll ??= setInterval(hearing.poll, pollMilliseconds);
    }, silenceMilliseconds);
  };
  const open = () => {
    const url = new URL(address);
    if (lastId()) url.searchParams.set("lastEventId", lastId());
    source = new EventSource(url);
    source.onopen = () => {
      alive();
      hearing.opened();
    };
    source.addEventListener("heartbeat", alive);
    source.addEventListener("change", (event) => {
      alive();
      hearing.heard({ id: event.lastEventId, change: JSON.parse(event.data as string) as Change });
    });
    source.addEventListener("reset", (event) => {
      alive();
      hearing.heard({ id: event.lastEventId, change: "reset" });
    });
    source.onerror = () => {
      clearTimeout(silence);
      hearing.failed();
      poll ??= setInterval(hearing.poll, pollMilliseconds);
      if (source.readyState === EventSource.CLOSED) {
        retry ??= setTimeout(() => {
          retry = undefined;
          open();
        }, retryMilliseconds);
      }
    };
  };
  open();
  return () => {
    settle();
    source.close();
  };
}
