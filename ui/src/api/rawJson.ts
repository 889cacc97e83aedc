/** JSON text that somebody wrote. It is sent as it is, so that no number changes on the way. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** The body as JSON text, with each RawJson put in as it is. Its text must be JSON. */
export function bodyText(body: unknown): string {
  const mark = `raw ${Math.random().toString(36).slice(2)} `;
  const raws: string[] = [];
  const text = JSON.stringify(body, (_, value: unknown) => {
    if (!(value instanceof RawJson)) return value;
    raws.push(value.text);
    return `${mark}${raws.length - 1}`;
  });
  return text.replace(new RegExp(`"${mark}(\\d+)"`, "g"), (_, index: string) => raws[Number(index)] ?? "null");
}
