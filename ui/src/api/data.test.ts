import { beforeEach, expect, it, vi } from "vitest";
import { deleteValue, setValue } from "./data";
import { commandText, curlText, perform } from "./actions";

beforeEach(() => {
  vi.stubGlobal("document", { baseURI: "https://example.org/mill/" });
});

const content = { value: "42", status: "Success", expiresAfterSeconds: null } as const;

it("writes a value only as it was read, in the page and in a terminal", async () => {
  const asked: RequestInit[] = [];
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    asked.push(init);
    return Promise.resolve(new Response('{"version":8}', { status: 200 }));
  });
  const action = setValue("rates", "EUR/USD", content, 7);
  expect(await perform(action)).toEqual({ version: 8 });
  expect(asked[0]).toMatchObject({ method: "PUT", headers: { "If-Match": '"7"' }, body: '{"value":"42","status":"Success"}' });
  expect(curlText(action)).toContain(`-H 'If-Match: "7"'`);
  expect(curlText(action)).toContain("group=rates&key=EUR%2FUSD");
});

it("makes a value only where there is none, and deletes only the one that was seen", () => {
  expect(setValue("rates", "new", { ...content, expiresAfterSeconds: 60 }, null)).toMatchObject({
    headers: { "If-None-Match": "*" },
    body: { expiresAfterSeconds: 60 },
  });
  expect(commandText(setValue("rates", "new one", content, 7))).toBe("millrace key-values set rates 'new one' 42 --status Success --if-version 7");
  expect(commandText(setValue("rates", "new", { ...content, value: "-1" }, null))).toBeNull();
  expect(commandText(deleteValue("rates", "old", 3))).toBe("millrace key-values delete rates old --if-version 3");
  expect(deleteValue("rates", "old", 3).headers).toEqual({ "If-Match": '"3"' });
});
