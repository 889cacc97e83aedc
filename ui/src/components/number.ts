const whole = new Intl.NumberFormat("en");

/** A count with separators: "12,480". */
export function countText(count: number): string {
  return whole.format(count);
}

/** A count that may have stopped at a cap: "10,000+". */
export function cappedText({ count, capped }: { count: number; capped: boolean }): string {
  return countText(count) + (capped ? "+" : "");
}

/** "1 instance", "2 instances". */
export function instancesText(count: number): string {
  return `${countText(count)} ${count === 1 ? "instance" : "instances"}`;
}
