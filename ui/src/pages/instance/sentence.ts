const instant = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z/g;

/** Returns a sentence of the server with its moments formatted for the user. */
export function readable(sentence: string, text: (at: number) => string): string {
  return sentence.replace(instant, (moment) => text(Date.parse(moment)));
}
