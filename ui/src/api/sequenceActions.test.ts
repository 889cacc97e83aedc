import { beforeEach, describe, expect, it, vi } from "vitest";
import { requeue } from "./channels";
import { commandText, curlText } from "./actions";
import { backfill, onSequence, runSequence } from "./sequenceActions";

beforeEach(() => {
  vi.stubGlobal("document", { baseURI: "https://example.org/mill/" });
});

describe("an action on a task sequence", () => {
  it("is the command with its reason", () => {
    expect(commandText(onSequence("request-run", "report_1", ""))).toBe("millrace sequences request-run report_1");
    expect(commandText(onSequence("deactivate", "report_1", "no more money"))).toBe(
      "millrace sequences deactivate report_1 --reason 'no more money'",
    );
    expect(commandText(runSequence("report_1", '{"day":1}', ""))).toBe(
      `millrace sequences run report_1 --parameters '{"day":1}'`,
    );
    const ends = ["2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"] as const;
    expect(commandText(backfill("report_1", ...ends, false, "wrong numbers"))).toBe(
      "millrace sequences backfill report_1 --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z --reason 'wrong numbers'",
    );
    expect(commandText(backfill("report_1", ...ends, true, ""))).toMatch(/ --dry-run$/);
    expect(commandText(requeue("WORKFLOW.TASK.KPI", 3, ""))).toBe("millrace channels requeue WORKFLOW.TASK.KPI --limit 3");
  });

  it("is a call with the address and the body", () => {
    expect(curlText(onSequence("restart", "a/b", ""))).toContain("/api/v1/sequences/a%2Fb/restart");
    expect(curlText(runSequence("report_1", '{"id":12345678901234567890}', "again"))).toContain(
      `-d '{"parameters":{"id":12345678901234567890},"reason":"again"}'`,
    );
    expect(curlText(requeue("a b", 100, "mended"))).toContain(
      `https://example.org/mill/api/v1/channels/a%20b/requeue -H "Authorization: Bearer $MILLRACE_API_KEY" -H 'Content-Type: application/json' -d '{"limit":100,"reason":"mended"}'`,
    );
  });
});
