import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { refresh } from "./refresh";

const change = { sequences: true };

/** A query on the screen, and a server that answers when the test says so. */
function shown(queryKey: readonly unknown[]) {
  const client = new QueryClient();
  const asked: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(client, { queryKey, queryFn: () => new Promise<string>((answer) => asked.push(answer)) });
  const hide = observer.subscribe(() => {});
  return { client, asked, hide, data: () => observer.getCurrentResult().data };
}

describe("reading again what changed", () => {
  it("asks again when the answer that is under way may be older than the change", async () => {
    const { client, asked, hide, data } = shown(["reports"]);
    expect(asked).toHaveLength(1);
    refresh(client, change, true);
    refresh(client, change, true);
    expect(asked).toHaveLength(1);
    asked[0]?.("before");
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    asked[1]?.("after");
    await vi.waitFor(() => expect(data()).toBe("after"));
    expect(asked).toHaveLength(2);
    hide();
  });

  it("asks once when nothing is under way, and not for what was not touched", async () => {
    const { client, asked, hide, data } = shown(["reports"]);
    asked[0]?.("before");
    await vi.waitFor(() => expect(data()).toBe("before"));
    refresh(client, { executors: true }, true);
    refresh(client, change, false);
    expect(asked).toHaveLength(1);
    refresh(client, change, true);
    expect(asked).toHaveLength(2);
    asked[1]?.("after");
    await vi.waitFor(() => expect(data()).toBe("after"));
    expect(asked).toHaveLength(2);
    hide();
  });

  it("asks again after a request that failed", async () => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    let tries = 0;
    const observer = new QueryObserver(client, {
      queryKey: ["reports"],
      queryFn: () => (++tries === 1 ? Promise.reject(new Error("away")) : Promise.resolve("there")),
    });
    const hide = observer.subscribe(() => {});
    refresh(client, change, true);
    await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("there"));
    expect(tries).toBe(2);
    hide();
  });
});
