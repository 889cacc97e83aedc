import { api } from "../../api/client";
import type { AuditEntry } from "../../api/schema";
import { csvText } from "./csv";
import type { AuditSearch } from "./search";

const most = 10_000;

/** Reads all matching entries, page by page, up to a limit. */
async function readAll(search: AuditSearch): Promise<AuditEntry[]> {
  const all: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await api("GET /audit", { query: { ...search, limit: 1000, cursor } });
    all.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor && all.length < most);
  return all;
}

/** Saves the matching entries as a CSV file. */
export async function saveAudit(search: AuditSearch) {
  const entries = await readAll(search);
  const text = csvText(
    ["id", "at", "actor", "action", "instance", "seq", "target", "reason", "detail"],
    entries.map((e) => [e.id, e.at, e.actor, e.action, e.instanceId, e.seq, e.target, e.reason, e.detail]),
  );
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = "audit.csv";
  link.click();
  URL.revokeObjectURL(link.href);
}
