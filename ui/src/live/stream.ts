import type { Change } from "../api/schema";

/** How changes reach this tab at the moment. */
export type Mode = "connecting" | "live" | "polling";

type Message = { id: string; change: Change | "reset" };

export interface Listener {
  changed(change: Change | "reset"): void;
  mode(mode: Mode): void;
}

const pollMilliseconds = 5_000;
const retryMilliseconds = 30_000;

/**
 * Listens to the server's events for as long as the signal lasts. One tab of a browser holds the
 * lock and with it the only connection; it passes what it hears on to the others. Where the browser
 * has no locks (a plain http address) every tab has its own connection. Where events do not get
 * through, everything is read again every five seconds.
 */
export function listen(address: URL, listener: Listener, signal: AbortSignal) {
  const channel = new BroadcastChannel(`millrace ${address.href}`);
  let lastId = "";
  const hear = ({ id, change }: Message) => {
    lastId = id || lastId;
    listener.mode("live");
    listener.changed(change);
  };
  channel.onmessage = (event: MessageEvent<Message | "open" | "who">) => {
    if (event.data === "open") listener.mode("live");
    else if (event.data !== "who") hear(event.data);
  };
  signal.addEventListener("abort", () => channel.close());

  const lead = () =>
    new Promise<void>((done) => {
      const stop = connect(address, () => lastId, {
        heard: (message) => {
          hear(message);
          channel.postMessage(message);
        },
        opened: () => {
          listener.mode("live");
          channel.postMessage("open");
        },
        failed: () => listener.mode("polling"),
        poll: () => listener.changed("reset"),
      });
      channel.addEventListener("message", (event) => {
        if (event.data === "who") channel.postMessage("open");
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
  channel.postMessage("who");
  navigator.locks.request(`millrace ${address.href}`, { signal }, lead).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

interface Hearing {
  heard(message: Message): void;
  opened(): void;
  failed(): void;
  poll(): void;
}

/** Keeps one connection open; answers with what ends it. */
function connect(address: URL, lastId: () => string, hearing: Hearing): () => void {
  let source: EventSource;
  let poll: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const settle = () => {
    clearInterval(poll);
    clearTimeout(retry);
    poll = undefined;
    retry = undefined;
  };
  const open = () => {
    const url = new URL(address);
    if (lastId()) url.searchParams.set("lastEventId", lastId());
    source = new EventSource(url);
    source.onopen = () => {
      settle();
      hearing.opened();
    };
    source.addEventListener("change", (event) => {
      hearing.heard({ id: event.lastEventId, change: JSON.parse(event.data as string) as Change });
    });
    source.addEventListener("reset", (event) => {
      hearing.heard({ id: event.lastEventId, change: "reset" });
    });
    source.onerror = () => {
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
