/** Returns true if the type is one of the server's own, which only the server starts. */
export function isInternal(type: string): boolean {
  return type.startsWith("millrace-");
}
