const whole = new Intl.NumberFormat("en");

/** Formats a count with separators: "12,480". */
export function countText(count: number): string {
  return whole.format(count);
}

/** Formats a count that may have stopped at a cap: "10,000+". */
export function cappedText({ count, capped }: { count: number; capped: boolean }): string {
  return countText(count) + (capped ? "+" : "");
}

/** "1 instance", "2 instances". */
export function instancesText(count: number): string {
  return `${countText(count)} ${count === 1 ? "instance" : "instances"}`;
}

/** Formats a size: "640 bytes", "12 kB", "3.4 MB". */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 9_950_000 ? 1 : 0)} MB`;
}
