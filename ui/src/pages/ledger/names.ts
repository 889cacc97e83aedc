/** Returns a description of a ledger key; a key that a program has chosen is returned unchanged. */
export function subjectText(key: string): string {
  const [, kind, name = ""] = /^(guard|trigger|recycle):(.+)$/.exec(key) ?? [];
  switch (kind) {
    case "guard":
      return `${name}, claimed by its handler`;
    case "trigger":
      return `${name}, by its trigger`;
    case "recycle": {
      const slash = name.indexOf("/");
      return `recycle of ${name.slice(slash + 1)} in group ${name.slice(0, slash)}`;
    }
    default:
      return key;
  }
}

/** Formats the key of a period: "2026-11-28T11+00:00" is an hour. */
export function periodText(period: string): string {
  const hour = /^(\d{4}-\d\d-\d\d)T(\d\d)([+-]\d\d:\d\d)$/.exec(period);
  return hour ? `${hour[1]} ${hour[2]}:00 ${hour[3]}` : period;
}
