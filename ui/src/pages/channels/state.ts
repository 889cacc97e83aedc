import type { Channels } from "../../api/schema";

export type Channel = Channels["channels"][number];

/** Whether messages wait that nobody takes. What is not known counts as well. */
export function unattended({ ready, consumers }: Pick<Channel, "ready" | "consumers">): boolean {
  return (ready ?? 0) > 0 && consumers === 0;
}

/** The largest number that one call moves. */
const most = 10_000;

/** How many dead letters a typed number means; null for what is no number that a call takes. */
export function limitOf(text: string): number | null {
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : null;
}

/** What is proposed: all there are, as far as one call goes. */
export function proposedLimit(deadLetters: number): number {
  return Math.min(Math.max(deadLetters, 1), most);
}
