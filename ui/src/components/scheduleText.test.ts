import { expect, it } from "vitest";
import { scheduleText } from "./scheduleText";

it("separates the sentence of a cron schedule from its expression", () => {
  expect(scheduleText("cron 0 0 6 * * ? *: at 06:00 every day, Europe/Berlin", "utc")).toEqual({
    sentence: "At 06:00 every day, Europe/Berlin",
    expression: "cron 0 0 6 * * ? *",
  });
});

it("starts any sentence with a capital, and writes its moments as the pages do", () => {
  const sentence = (words: string) => scheduleText(words, "utc").sentence;
  expect(sentence("every day at 00:00:01 UTC, for the day before")).toBe("Every day at 00:00:01 UTC, for the day before");
  expect(sentence("every 1 hour, counted from 2026-11-26T23:29:52Z")).toBe("Every 1 hour, counted from 2026-11-26 23:29:52");
  expect(sentence("")).toBe("");
});
