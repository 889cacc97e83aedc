import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Change } from "../api/schema";
import { listen, type Listener, type Mode } from "./stream";

class FakeSource {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  private readonly listeners = new Map<string, (event: { data: string; lastEventId: string }) => void>();
  constructor(readonly url: URL) {
    FakeSource.all.push(this);
  }
  addEventListener(name: string, listener: (event: { data: string; lastEventId: string }) => void) {
    this.listeners.set(name, listener);
  }
  send(name: string, id: string, data: Change | null) {
    this.listeners.get(name)?.({ data: JSON.stringify(data), lastEventId: id });
  }
  fail(closed: boolean) {
    this.readyState = closed ? FakeSource.CLOSED : 0;
    this.onerror?.();
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
}

/** A broadcast channel that delivers at once to the other channels of its name. */
class FakeChannel extends EventTarget {
  static all: FakeChannel[] = [];
  constructor(readonly name: string) {
    super();
    FakeChannel.all.push(this);
  }
  postMessage(data: unknown) {
    for (const other of FakeChannel.all) {
      if (other === this || other.name !== this.name) continue;
      const event = new MessageEvent("message", { data });
      other.dispatchEvent(event);
    }
  }
  close() {
    FakeChannel.all = FakeChannel.all.filter((one) => one !== this);
  }
}

/** A lock with one holder at a time; the next one gets it when the holder's promise ends. */
class FakeLocks {
  private last: Promise<unknown> = Promise.resolve();
  request(_name: string, { signal }: { signal: AbortSignal }, callback: () => Promise<void>) {
    const turn = this.last.then(() => (signal.aborted ? Promise.reject(new Error("aborted")) : callback()));
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

const address = new URL("http://localhost/api/v1/events");

function tab() {
  const modes: Mode[] = [];
  const changes: (Change | "reset")[] = [];
  const end = new AbortController();
  const listener: Listener = { mode: (mode) => modes.push(mode), changed: (change) => changes.push(change) };
  listen(address, listener, end.signal);
  return { modes, changes, end };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.all = [];
  FakeChannel.all = [];
  vi.stubGlobal("EventSource", FakeSource);
  vi.stubGlobal("BroadcastChannel", FakeChannel);
  vi.stubGlobal("navigator", { locks: new FakeLocks() });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("listening to the server", () => {
  it("opens one connection for two tabs and shares its events", async () => {
    const first = tab();
    const second = tab();
    await settled();
    expect(FakeSource.all).toHaveLength(1);
    FakeSource.all[0]?.onopen?.();
    expect(first.modes.at(-1)).toBe("live");
    expect(second.modes.at(-1)).toBe("live");
    FakeSource.all[0]?.send("change", "5", { instances: [7] });
    expect(first.changes).toEqual([{ instances: [7] }]);
    expect(second.changes).toEqual([{ instances: [7] }]);
  });

  it("tells a tab that comes later that the connection is there", async () => {
    tab();
    await settled();
    FakeSource.all[0]?.onopen?.();
    const late = tab();
    expect(late.modes.at(-1)).toBe("live");
  });

  it("lets the other tab go on from the last event when the first one leaves", async () => {
    const first = tab();
    const second = tab();
    await settled();
    FakeSource.all[0]?.send("change", "41", { instances: [1] });
    first.end.abort();
    await settled();
    expect(FakeSource.all[0]?.readyState).toBe(FakeSource.CLOSED);
    expect(FakeSource.all).toHaveLength(2);
    expect(FakeSource.all[1]?.url.searchParams.get("lastEventId")).toBe("41");
    FakeSource.all[1]?.send("change", "42", { instances: [2] });
    expect(second.changes).toEqual([{ instances: [1] }, { instances: [2] }]);
    expect(first.changes).toEqual([{ instances: [1] }]);
  });

  it("connects from every tab where the browser has no locks", async () => {
    vi.stubGlobal("navigator", {});
    const first = tab();
    const second = tab();
    await settled();
    expect(FakeSource.all).toHaveLength(2);
    FakeSource.all[1]?.onopen?.();
    FakeSource.all[0]?.fail(false);
    expect(first.modes.at(-1)).toBe("polling");
    expect(second.modes.at(-1)).toBe("live");
  });

  it("passes a reset on", async () => {
    const only = tab();
    await settled();
    FakeSource.all[0]?.send("reset", "9", null);
    expect(only.changes).toEqual(["reset"]);
  });

  it("polls every five seconds while events do not arrive", async () => {
    const only = tab();
    await settled();
    FakeSource.all[0]?.fail(false);
    expect(only.modes.at(-1)).toBe("polling");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(only.changes).toEqual(["reset", "reset"]);
    FakeSource.all[0]?.onopen?.();
    expect(only.modes.at(-1)).toBe("live");
    for (let beat = 0; beat < 5; beat++) {
      await vi.advanceTimersByTimeAsync(2_000);
      FakeSource.all[0]?.send("heartbeat", "", null);
    }
    expect(only.changes).toHaveLength(2);
  });

  it("tells the other tabs that the connection is gone, and lets them read as well", async () => {
    tab();
    const second = tab();
    await settled();
    FakeSource.all[0]?.onopen?.();
    FakeSource.all[0]?.fail(false);
    expect(second.modes.at(-1)).toBe("polling");
    const late = tab();
    expect(late.modes.at(-1)).toBe("polling");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(second.changes).toEqual(["reset"]);
    FakeSource.all[0]?.onopen?.();
    expect(second.modes.at(-1)).toBe("live");
  });

  it("is not live when a stopped server sends nothing for five seconds, and live with its next heartbeat", async () => {
    const only = tab();
    const second = tab();
    await settled();
    FakeSource.all[0]?.onopen?.();
    for (let beat = 0; beat < 5; beat++) {
      await vi.advanceTimersByTimeAsync(2_000);
      FakeSource.all[0]?.send("heartbeat", "", null);
    }
    expect(only.modes.at(-1)).toBe("live");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(only.modes.at(-1)).toBe("silent");
    expect(second.modes.at(-1)).toBe("silent");
    FakeSource.all[0]?.send("heartbeat", "", null);
    expect(only.modes.at(-1)).toBe("live");
    expect(second.modes.at(-1)).toBe("live");
    expect(only.changes).toEqual([]);
  });

  it("reconnects half a minute after the server refused", async () => {
    tab();
    await settled();
    FakeSource.all[0]?.fail(true);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(FakeSource.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(FakeSource.all).toHaveLength(2);
  });

  it("ends with the signal", async () => {
    const only = tab();
    await settled();
    FakeSource.all[0]?.fail(true);
    only.end.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(only.changes).toEqual([]);
    expect(FakeSource.all).toHaveLength(1);
    expect(FakeChannel.all).toEqual([]);
  });
});
