import type { Maintenance, MaintenancePlan, MaintenanceStage } from "../../api/schema";

/** A plan as typed into the form; times are ISO texts, or the typed text if it is not a time. */
export interface PlanForm {
  title: string;
  text: string;
  affected: string;
  impact: "none" | "delays" | "outage";
  from: string;
  until: string;
  automatic: boolean;
}

export const emptyPlan: PlanForm = {
  title: "",
  text: "",
  affected: "",
  impact: "none",
  from: "",
  until: "",
  automatic: true,
};

export const stageTexts: Record<MaintenanceStage, string> = {
  scheduled: "scheduled",
  inProgress: "in progress",
  verifying: "verifying",
  completed: "completed",
  cancelled: "cancelled",
};

export const stageLooks: Record<MaintenanceStage, string> = {
  scheduled: "",
  inProgress: "warn",
  verifying: "warn",
  completed: "good",
  cancelled: "",
};

/** Labels of the buttons that advance a maintenance to a stage. */
export const stageActions: Record<MaintenanceStage, string> = {
  scheduled: "Schedule",
  inProgress: "Start",
  verifying: "Verify",
  completed: "Complete",
  cancelled: "Cancel maintenance",
};

const order: readonly MaintenanceStage[] = ["inProgress", "verifying", "completed", "cancelled"];

/** Returns the possible next stages, continuing ones before final ones. */
export function nextStages({ next }: Pick<Maintenance, "next">): MaintenanceStage[] {
  return order.filter((stage) => next.includes(stage));
}

export function formOf({ title, text, affected, impact, from, until, automatic }: MaintenancePlan): PlanForm {
  return {
    title,
    text: text ?? "",
    affected: (affected ?? []).join(", "),
    impact: impact ?? "none",
    from,
    until,
    automatic: automatic ?? true,
  };
}

export function namesOf(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
}

/** Returns the error messages by the name of the field. */
export function planFaults(form: PlanForm): Partial<Record<keyof PlanForm, string>> {
  const from = Date.parse(form.from);
  const until = Date.parse(form.until);
  return {
    ...(form.title.trim() ? {} : { title: "Enter a title." }),
    ...(Number.isNaN(from) ? { from: "Expected a date and a time." } : {}),
    ...(Number.isNaN(until)
      ? { until: "Expected a date and a time." }
      : until <= from
        ? { until: "Expected a time after the start." }
        : {}),
  };
}

/** Returns the plan of a form without faults. */
export function planOf(form: PlanForm): MaintenancePlan {
  return {
    title: form.title.trim(),
    text: form.text.trim(),
    affected: namesOf(form.affected),
    impact: form.impact,
    from: form.from,
    until: form.until,
    automatic: form.automatic,
  };
}
