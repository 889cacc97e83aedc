import type { Steering } from "../../api/rollouts";
import type { RolloutRequest } from "../../api/rollouts";
import type { Executor, Rollout } from "../../api/schema";
import { works } from "./status";

export const phaseLooks: Record<Rollout["phase"], string> = {
  queued: "",
  running: "warn",
  paused: "warn",
  completed: "good",
  aborted: "",
  failed: "bad",
};

const order: Record<Rollout["phase"], Steering[]> = {
  queued: ["abort"],
  running: ["pause", "abort"],
  paused: ["resume", "abort"],
  completed: [],
  aborted: [],
  failed: [],
};

export const steeringWords: Record<Steering, { word: string; says: string }> = {
  pause: { word: "Pause", says: "No further node leaves until somebody resumes it; one that is being replaced still is." },
  resume: { word: "Resume", says: "It goes on with the node that it has come to." },
  abort: { word: "Abort", says: "It ends here: nodes that were replaced stay so, one that is being replaced still is, the others keep running." },
};

/** How a rollout can be steered. */
export const steerings = ({ phase }: Pick<Rollout, "phase">): Steering[] => order[phase];

/** Whether it has not come to its end. */
export const open = (rollout: Pick<Rollout, "phase">) => steerings(rollout).length > 0;

/** The name that a rollout knows an executor by. */
export const nodeOf = ({ node, host }: Pick<Executor, "node" | "host">) => node || host;

/** The nodes that are at work, by name. */
export function nodesOf(executors: readonly Executor[]): string[] {
  return [...new Set(executors.filter((one) => works(one) && one.status !== "dead").map(nodeOf))].sort();
}

/** A rollout as it is asked for; numbers are texts, empty for what is usual. */
export interface RolloutForm {
  /** Null for all. */
  nodes: string[] | null;
  grace: string;
  minReady: string;
  patience: string;
}

export const emptyRollout: RolloutForm = { nodes: null, grace: "", minReady: "", patience: "" };

const bounds = { grace: [0, 86_400], minReady: [0, 86_400], patience: [1, 604_800] } as const;

/** What is wrong, by the name of the field. */
export function rolloutFaults(form: RolloutForm): Partial<Record<keyof RolloutForm, string>> {
  const faults: Partial<Record<keyof RolloutForm, string>> = {};
  if (form.nodes?.length === 0) faults.nodes = "Choose a node at least.";
  for (const name of ["grace", "minReady", "patience"] as const) {
    const [least, most] = bounds[name];
    const text = form[name].trim();
    const fits = text === "" || (/^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most);
    if (!fits) faults[name] = `Expected whole seconds from ${least} to ${most}, or nothing.`;
  }
  return faults;
}

/** Only of a form without faults. */
export function requestOf({ nodes, grace, minReady, patience }: RolloutForm): RolloutRequest {
  return {
    ...(nodes ? { nodes } : {}),
    ...(grace.trim() ? { graceSeconds: Number(grace) } : {}),
    ...(minReady.trim() ? { minReadySeconds: Number(minReady) } : {}),
    ...(patience.trim() ? { patienceSeconds: Number(patience) } : {}),
  };
}
