import type { BulkRequest, Instance } from "../../api/schema";
import type { Filter } from "./filter";

/** The selected instances: by id, or all that match the filter. */
export type Selection = { ids: ReadonlySet<number> } | "all";

export const nothing: Selection = { ids: new Set() };

export function isChosen(selection: Selection, id: number): boolean {
  return selection === "all" || selection.ids.has(id);
}

export function isEmpty(selection: Selection): boolean {
  return selection !== "all" && selection.ids.size === 0;
}

/** Selects or deselects an instance; after "all", only the instances of the page stay selected. */
export function toggle(selection: Selection, id: number, page: readonly Instance[]): Selection {
  const ids = new Set(selection === "all" ? page.map((instance) => instance.id) : selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids };
}

/** Returns the id of the instance `by` rows further; the first one if there was none. */
export function stepped(page: readonly Instance[], from: number | undefined, by: number): number | undefined {
  const before = page.findIndex(({ id }) => id === from);
  return page[Math.max(0, Math.min(page.length - 1, before + by))]?.id;
}

/** Returns true if every instance of the page is selected. */
export function holdsPage(selection: Selection, page: readonly Instance[]): boolean {
  return page.length > 0 && page.every(({ id }) => isChosen(selection, id));
}

/** Selects the page, or nothing if it was selected. */
export function togglePage(selection: Selection, page: readonly Instance[]): Selection {
  if (holdsPage(selection, page)) return nothing;
  const before = selection === "all" ? [] : selection.ids;
  return { ids: new Set([...before, ...page.map(({ id }) => id)]) };
}

/** Returns the types of the selected instances, as far as they are known from the page and the filter. */
export function typesOf(selection: Selection, filter: Filter, page: readonly Instance[]): readonly string[] {
  if (selection === "all") return filter.type ?? [];
  return [...new Set(page.filter(({ id }) => selection.ids.has(id)).map(({ type }) => type))];
}

/** Returns the filter of a bulk request for the selected instances. */
export function filterOf(selection: Selection, filter: Filter): BulkRequest["filter"] {
  return selection === "all" ? filter : { ids: [...selection.ids].sort((one, other) => one - other) };
}
