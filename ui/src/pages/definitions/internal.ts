/** Whether the type is one of the server's own, which nobody else starts. */
export function isInternal(type: string): boolean {
  return type.startsWith("millrace-");
}
