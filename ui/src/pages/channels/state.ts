import type { Channels } from "../../api/schema";

export type Channel = Channels["channels"][number];

/** Returns true if messages wait and there is no consumer. Unknown counts do not count as such. */
export function unattended({ ready, consumers }: Pick<Channel, "ready" | "consumers">): boolean {
  return (ready ?? 0) > 0 && consumers === 0;
}

/** Upper limit of the dead letters that one call moves. */
const most = 10_000;

/** Parses a number of dead letters; null if a call would not accept it. */
export function limitOf(text: string): number | null {
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : null;
}

/** Returns the proposed number: all dead letters, up to the limit of one call. */
export function proposedLimit(deadLetters: number): number {
  return Math.min(Math.max(deadLetters, 1), most);
}
