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
  pause: { word: "Pause", says: "No further node stops until an operator resumes the rollout. A replacement that has started continues." },
  resume: { word: "Resume", says: "The rollout continues with the current node." },
  abort: { word: "Abort", says: "The rollout ends. Replaced nodes stay replaced, a replacement that has started continues, and the other nodes keep running." },
};

/** Returns the actions that are possible on a rollout. */
export const steerings = ({ phase }: Pick<Rollout, "phase">): Steering[] => order[phase];

/** Returns true if the rollout has not ended. */
export const open = (rollout: Pick<Rollout, "phase">) => steerings(rollout).length > 0;

/** Returns the name of an executor's node in a rollout. */
export const nodeOf = ({ node, host }: Pick<Executor, "node" | "host">) => node || host;

/** Returns the names of the running nodes, sorted. */
export function nodesOf(executors: readonly Executor[]): string[] {
  return [...new Set(executors.filter((one) => works(one) && one.status !== "dead").map(nodeOf))].sort();
}

/** A rollout as typed into the form; numbers are texts, empty for the default. */
export interface RolloutForm {
  /** Names of the nodes; null for all. */
  nodes: string[] | null;
  grace: string;
  minReady: string;
  patience: string;
}

export const emptyRollout: RolloutForm = { nodes: null, grace: "", minReady: "", patience: "" };

const bounds = { grace: [0, 86_400], minReady: [0, 86_400], patience: [1, 604_800] } as const;

/** Returns the error messages by the name of the field. */
export function rolloutFaults(form: RolloutForm): Partial<Record<keyof RolloutForm, string>> {
  const faults: Partial<Record<keyof RolloutForm, string>> = {};
  if (form.nodes?.length === 0) faults.nodes = "Choose at least one node.";
  for (const name of ["grace", "minReady", "patience"] as const) {
    const [least, most] = bounds[name];
    const text = form[name].trim();
    const fits = text === "" || (/^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most);
    if (!fits) faults[name] = `Expected whole seconds from ${least} to ${most}, or nothing.`;
  }
  return faults;
}

/** Returns the request of a form without faults. */
export function requestOf({ nodes, grace, minReady, patience }: RolloutForm): RolloutRequest {
  return {
    ...(nodes ? { nodes } : {}),
    ...(grace.trim() ? { graceSeconds: Number(grace) } : {}),
    ...(minReady.trim() ? { minReadySeconds: Number(minReady) } : {}),
    ...(patience.trim() ? { patienceSeconds: Number(patience) } : {}),
  };
}
