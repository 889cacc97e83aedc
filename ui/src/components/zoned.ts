const writers = new Map<string, Intl.DateTimeFormat | null>();

function writer(zone: string): Intl.DateTimeFormat | null {
  const known = writers.get(zone);
  if (known !== undefined) return known;
  let made: Intl.DateTimeFormat | null = null;
  try {
    made = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone === "Z" ? "UTC" : zone,
      ...{ year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
      weekday: "short",
    });
  } catch {
    // The server knows zones that this browser does not.
  }
  writers.set(zone, made);
  return made;
}

/** Returns true if this browser knows the zone. */
export function isZone(zone: string): boolean {
  return writer(zone) !== null;
}

interface Wanted {
  weekday?: boolean;
  seconds?: boolean;
}

/** Formats a moment in a zone, "Sun 2026-11-22 00:00:01"; in UTC if the browser does not know the zone. */
export function zonedText(at: string | number, zone: string, { weekday = true, seconds = true }: Wanted = {}): string {
  const moment = typeof at === "number" ? at : Date.parse(at);
  if (Number.isNaN(moment)) return "not a time";
  const parts = (writer(zone) ?? writer("UTC"))?.formatToParts(moment) ?? [];
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  const day = `${part("year")}-${part("month")}-${part("day")}`;
  const time = `${part("hour")}:${part("minute")}${seconds ? `:${part("second")}` : ""}`;
  return `${weekday ? `${part("weekday").replace(".", "")} ` : ""}${day} ${time}${isZone(zone) ? "" : " UTC"}`;
}

/** Returns all zones that this browser knows, UTC first. */
export function zones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
