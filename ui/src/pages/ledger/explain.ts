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

/** Returns the result of a period in one or two sentences, also without an entry. `now` is the server's time. */
export function explain(entry: LedgerEntry | null, now: number): { ran: boolean | null; sentences: string[] } {
  if (!entry) {
    return {
      ran: false,
      sentences: [
        "This period was neither claimed nor recorded as missed.",
        "Either the work was not due in it, or did not exist yet, or the period is written differently. Compare with the periods below.",
      ],
    };
  }
  const { state, holder, attempt, leaseUntil, reason } = entry;
  const because = reason ? [`Reason: ${reason.replace(/[.\s]+$/, "")}.`] : [];
  switch (state) {
    case "succeeded":
      return { ran: true, sentences: [`The period was done by ${holder}.`, ...(attempt > 1 ? [`It was claimed ${times(attempt)}.`] : []), ...because] };
    case "running":
      return { ran: null, sentences: [`${holder} is running it.`, ...because] };
    case "claimed": {
      const over = leaseUntil !== null && Date.parse(leaseUntil) <= now;
      return {
        ran: null,
        sentences: [
          over ? `${holder} has claimed it, but the claim has expired.` : `${holder} has claimed it and has not started.`,
          ...(over ? ["The next claimant gets the period."] : []),
          ...because,
        ],
      };
    }
    case "failed":
      return { ran: false, sentences: [`The period has failed after being claimed ${times(attempt)}, last by ${holder}.`, ...because] };
    case "released":
      return { ran: false, sentences: [`${holder} released it undone.`, "The next claimant gets the period.", ...because] };
    case "missed":
      return { ran: false, sentences: ["The period was missed.", ...because] };
  }
}
