import type { LedgerEntry, LedgerState } from "../../api/schema";

export const stateLooks: Record<LedgerState, string> = {
  claimed: "warn",
  running: "warn",
  succeeded: "good",
  failed: "bad",
  released: "",
  missed: "bad",
};

const times = (count: number) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);

/** What became of a period, in a sentence or two; of one without an entry as well. `now` is the server's time. */
export function explain(entry: LedgerEntry | null, now: number): { ran: boolean | null; sentences: string[] } {
  if (!entry) {
    return {
      ran: false,
      sentences: [
        "Nobody has claimed this period, and it was not counted as missed.",
        "The schedule was not due in it, was not there yet, or is written otherwise: compare with the periods below.",
      ],
    };
  }
  const { state, holder, attempt, leaseUntil, reason } = entry;
  const because = reason ? [`The reason: ${reason.replace(/[.\s]+$/, "")}.`] : [];
  switch (state) {
    case "succeeded":
      return { ran: true, sentences: [`It ran: ${holder} did it.`, ...(attempt > 1 ? [`It was claimed ${times(attempt)}.`] : []), ...because] };
    case "running":
      return { ran: null, sentences: [`It runs: ${holder} does it.`, ...because] };
    case "claimed": {
      const over = leaseUntil !== null && Date.parse(leaseUntil) <= now;
      return {
        ran: null,
        sentences: [
          over ? `${holder} has claimed it and did not come to an end in time.` : `${holder} has claimed it and is to do it.`,
          ...(over ? ["The next one who asks gets it."] : []),
          ...because,
        ],
      };
    }
    case "failed":
      return { ran: false, sentences: [`It was tried ${times(attempt)} and has failed, the last time by ${holder}.`, ...because] };
    case "released":
      return { ran: false, sentences: [`${holder} gave it back without having done it.`, "The next one who asks gets it.", ...because] };
    case "missed":
      return { ran: false, sentences: ["Nobody came to it in time.", ...because] };
  }
}
