/** JSON text as a user typed it. It is sent unchanged, so that no number loses digits. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Returns the body as JSON text, with the text of each RawJson inserted unchanged. That text must be valid JSON. */
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
