import { describe, expect, it } from "vitest";
import { startRun, enable, lookInto, moveTo, runNow } from "./continuous";
import { commandText } from "./actions";
import { bodyText } from "./rawJson";

describe("actions on a continuous workflow", () => {
  it.each([
    [enable("in box", false, "the shop is closed"), "millrace continuous disable 'in box' --reason 'the shop is closed'"],
    [startRun("inbox", "continue", ""), "millrace continuous continue inbox"],
    [moveTo("inbox", 7, ""), "millrace continuous move inbox --to 7"],
    [runNow("inbox", '{"order":1}', false, "a try"), `millrace continuous run inbox --payload '{"order":1}' --reason 'a try'`],
    [runNow("inbox", "{}", true, ""), null],
    [lookInto("inbox", ""), null],
  ])("%# says the same for a terminal", (action, command) => {
    expect(commandText(action)).toBe(command);
  });

  it("sends the event as it was typed", () => {
    expect(bodyText(runNow("inbox", '{"amount":1.00}', true, "").body)).toBe('{"payload":{"amount":1.00},"debug":true}');
  });
});
