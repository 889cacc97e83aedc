import { describe, expect, it } from "vitest";
import { commandText } from "../../api/actions";
import { advance, savePlan, subscribe } from "../../api/maintenance";
import { emptyPlan, formOf, namesOf, nextStages, planFaults, planOf } from "./plan";

const plan = {
  title: "New disks",
  text: "",
  affected: ["billing", "web"],
  impact: "delays" as const,
  from: "2027-01-05T10:00:00.000Z",
  until: "2027-01-05T11:30:00.000Z",
  automatic: true,
};

describe("a plan", () => {
  it("is the same after it was shown in a form", () => {
    expect(planOf(formOf(plan))).toEqual(plan);
  });

  it("reports missing fields", () => {
    expect(Object.keys(planFaults(emptyPlan))).toEqual(["title", "from", "until"]);
    expect(planFaults({ ...formOf(plan), from: "2027-99" })).toEqual({ from: "Expected a date and a time." });
    const backwards = { ...formOf(plan), until: "2027-01-05T09:00:00Z" };
    expect(planFaults(backwards)).toEqual({ until: "Expected a time after the start." });
    expect(planFaults(formOf(plan))).toEqual({});
  });

  it("takes names between commas", () => {
    expect(namesOf(" web, , billing,web")).toEqual(["web", "billing"]);
  });
});

describe("a stage", () => {
  it("lists next stages before final ones", () => {
    expect(nextStages({ next: ["cancelled", "completed", "verifying"] })).toEqual(["verifying", "completed", "cancelled"]);
  });
});

describe("the commands", () => {
  it("are those of the form", () => {
    expect(commandText(savePlan(plan))).toBe(
      "millrace maintenance plan 'New disks' --from 2027-01-05T10:00:00.000Z --until 2027-01-05T11:30:00.000Z" +
        " --affected billing --affected web --impact delays",
    );
    expect(commandText(savePlan({ ...plan, automatic: false }, 7))).toMatch(/--by-hand --change 7$/);
    expect(commandText(advance(7, "completed", "went well"))).toBe(
      "millrace maintenance advance 7 completed --reason 'went well'",
    );
    expect(commandText(subscribe("mail", "ann@example.org", ["web"]))).toBe(
      "millrace maintenance subscribe --mail ann@example.org --affected web",
    );
  });
});
