/** A reason without the packages and outer classes of the exceptions it names: they push the words out of sight. */
export function shortReason(reason: string): string {
  return reason.replace(/\b(?:[a-z_]\w*\.){2,}(?:[A-Z]\w*[$.])*([A-Z]\w*)/g, "$1");
}
