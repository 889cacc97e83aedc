import { one } from "../../app/search";

export interface SequenceSearch {
  type?: string;
  text?: string;
}

export function readSequenceSearch(search: Record<string, unknown>): SequenceSearch {
  const all: SequenceSearch = { type: one(search.type), text: one(search.text) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
