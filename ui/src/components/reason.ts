/** Returns a reason without the packages and outer classes of exceptions, which would hide the message. */
export function shortReason(reason: string): string {
  return reason.replace(/\b(?:[a-z_]\w*\.){2,}(?:[A-Z]\w*[$.])*([A-Z]\w*)/g, "$1");
}
