import { absoluteText, type Zone } from "../app/time";

/** Splits the server's description of a schedule into a sentence and, for cron, its expression. */
export function scheduleText(words: string, zone: Zone): { sentence: string; expression?: string } {
  const [, expression, text = words] = /^(cron [^:]+): (.*)$/s.exec(words) ?? [];
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return { sentence: sentence.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => absoluteText(Date.parse(at), zone)), expression };
}
