import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api, ApiError, apiText, apiUrl, serverNow, setCsrfToken, Unreachable } from "./client";

const calls: { url: string; init: RequestInit }[] = [];
let answer: Response;

beforeEach(() => {
  calls.length = 0;
  answer = Response.json({ ok: true });
  vi.stubGlobal("document", { baseURI: "https://example.org/mill/" });
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    calls.push({ url, init });
    return Promise.resolve(answer);
  });
});

afterEach(() => {
  setCsrfToken(null);
  vi.unstubAllGlobals();
});

const headers = () => calls[0]?.init.headers as Record<string, string>;

describe("addresses", () => {
  it("stay below the context path, whatever page is open", () => {
    vi.stubGlobal("document", { baseURI: "https://example.org/a/b/" });
    expect(apiUrl("/instances/{id}", { id: 7 })).toBe("https://example.org/a/b/api/v1/instances/7");
  });

  it("escape their parts", () => {
    expect(apiUrl("/users/{name}", { name: "../a b?" })).toBe("https://example.org/mill/api/v1/users/..%2Fa%20b%3F");
    expect(apiUrl("/instances", {}, { key: "a&b", status: ["failed", "paused"], type: undefined })).toBe(
      "https://example.org/mill/api/v1/instances?key=a%26b&status=failed&status=paused",
    );
  });
});

describe("calls", () => {
  it("carry the token of the session when they change something", async () => {
    setCsrfToken("t0k");
    await api("POST /instances/{id}/retry", { path: { id: 7 }, body: { reason: "x" } });
    expect(calls[0]?.url).toBe("https://example.org/mill/api/v1/instances/7/retry");
    expect(headers()["x-csrf-token"]).toBe("t0k");
    expect(calls[0]?.init.body).toBe('{"reason":"x"}');
  });

  it("do not carry it when they read", async () => {
    setCsrfToken("t0k");
    await api("GET /problems");
    expect(headers()["x-csrf-token"]).toBeUndefined();
    expect(calls[0]?.init.body).toBeUndefined();
  });

  it("distinguish a server that does not answer from a fault of the page", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(api("GET /problems")).rejects.toBeInstanceOf(Unreachable);
    vi.stubGlobal("fetch", () => Promise.reject(new DOMException("gone", "AbortError")));
    await expect(api("GET /problems")).rejects.toBeInstanceOf(DOMException);
  });

  it("return the body unparsed on request", async () => {
    answer = new Response('{"n":12345678901234567890}');
    expect(await apiText("GET /instances/{id}", { path: { id: 7 } })).toBe('{"n":12345678901234567890}');
    answer = new Response("gone", { status: 404 });
    await expect(apiText("GET /instances/{id}", { path: { id: 7 } })).rejects.toBeInstanceOf(ApiError);
  });

  it("return null for a response without content", async () => {
    answer = new Response(null, { status: 204 });
    expect(await api("DELETE /session")).toBeNull();
  });

  it("throw the server's message", async () => {
    answer = Response.json(
      { type: "conflict", title: "Conflict", status: 409, detail: "The instance is executing. Wait, then retry." },
      { status: 409, headers: { "content-type": "application/problem+json" } },
    );
    const error: unknown = await api("GET /problems").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, message: "The instance is executing. Wait, then retry." });
  });

  it("throw a message of their own when a proxy answers with a page", async () => {
    answer = new Response("<html>", { status: 502, statusText: "Bad Gateway" });
    const error: unknown = await api("GET /problems").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 502, problem: { title: "Bad Gateway" } });
  });

  it("follow the server's clock when it differs by more than its rounding", async () => {
    const ahead = new Date(Date.now() + 3_600_000).toUTCString();
    answer = Response.json({}, { headers: { date: ahead } });
    await api("GET /problems");
    expect(serverNow() - Date.now()).toBeGreaterThan(3_590_000);
    answer = Response.json({}, { headers: { date: new Date().toUTCString() } });
    await api("GET /problems");
    expect(Math.abs(serverNow() - Date.now())).toBeLessThan(2_000);
  });
});
