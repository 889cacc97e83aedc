import { describe, expect, it } from "vitest";
import { readLoginLink, spendLoginToken, takeLoginLink } from "./loginLink";

function view(href: string) {
  const replaced: unknown[][] = [];
  const history = { state: { key: "k" }, replaceState: (...given: unknown[]) => void replaced.push(given) };
  return { window: { location: { href }, history } as unknown as Window, replaced };
}

describe("a login link", () => {
  it.each([
    ["http://localhost:7500/#login=aB-_9", "aB-_9", "http://localhost:7500/"],
    ["http://localhost/base/problems?range=1h#login=x", "x", "http://localhost/base/problems?range=1h"],
  ])("%s has the token %s", (href, token, address) => {
    expect(readLoginLink(href)).toEqual({ token, address });
  });

  it.each([
    "http://localhost/",
    "http://localhost/#",
    "http://localhost/#main",
    "http://localhost/#login=",
    "http://localhost/#login=a%20b",
    "http://localhost/?login=a",
    "http://localhost/?a=%23login=b",
  ])("%s is none", (href) => {
    expect(readLoginLink(href)).toBeNull();
  });

  it("leaves the address at once, and its token is used once", () => {
    const { window, replaced } = view("http://localhost/#login=abc");
    takeLoginLink(window);
    expect(replaced).toEqual([[{ key: "k" }, "", "http://localhost/"]]);
    expect(spendLoginToken()).toBe("abc");
    expect(spendLoginToken()).toBeNull();
  });

  it("leaves other addresses as they are", () => {
    const { window, replaced } = view("http://localhost/#main");
    takeLoginLink(window);
    expect(replaced).toEqual([]);
    expect(spendLoginToken()).toBeNull();
  });
});
