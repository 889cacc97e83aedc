import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import type { Instance } from "../../api/schema";
import { headText } from "../../components/Table";
import { useNarrow } from "../../components/useNarrow";
import type { InstanceColumn } from "./columns";
import { holdsPage, isChosen, isEmpty, type Selection } from "./selection";

const rowHeight = 36;
const cardHeight = 150;
const classes = ({ align, grow }: InstanceColumn) => [align && "right", grow && "grow"].filter(Boolean).join(" ") || undefined;

interface Props {
  rows: readonly Instance[];
  columns: readonly InstanceColumn[];
  /** Selected instances; null if the user may not act on instances. */
  selection: Selection | null;
  /** Id of the instance under the keyboard cursor. */
  cursor: number | undefined;
  onToggle: (id: number) => void;
  onTogglePage: () => void;
}

/** A table that draws only the visible rows, with space for the others. */
export function InstanceTable({ rows, columns, selection, cursor, onToggle, onTogglePage }: Props) {
  const narrow = useNarrow();
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const place = body.current?.getBoundingClientRect().top ?? 0;
    setTop(Math.round(place + window.scrollY));
  }, [rows.length]);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (narrow ? cardHeight : rowHeight),
    overscan: 12,
    scrollMargin: top,
  });
  useLayoutEffect(() => virtual.measure(), [narrow, virtual]);
  useLayoutEffect(() => {
    const index = rows.findIndex(({ id }) => id === cursor);
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
    // Not when rows change: live updates must not scroll the page back to the cursor.
  }, [cursor, virtual]);
  const items = virtual.getVirtualItems();
  const before = (items[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  const span = columns.length + (selection ? 1 : 0);
  const whole = selection !== null && holdsPage(selection, rows);
  return (
    <div className="table-scroll instances-table">
      <table className="stacks" aria-rowcount={rows.length + 1}>
        <caption className="sr-only">Instances</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="check">
                <input
                  type="checkbox"
                  aria-label="Select all on this page"
                  checked={whole}
                  ref={(box) => {
                    if (box) box.indeterminate = !whole && !isEmpty(selection);
                  }}
                  onChange={onTogglePage}
                />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.id} scope="col" className={classes(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 && <Room height={before} span={span} />}
          {items.map(({ index }) => {
            const row = rows[index];
            if (!row) return null;
            const chosen = selection !== null && isChosen(selection, row.id);
            return (
              <tr
                key={row.id}
                ref={narrow ? virtual.measureElement : undefined} // cards are of any height
                data-index={index}
                aria-rowindex={index + 2}
                className={[chosen && "chosen", row.id === cursor && "cursor"].filter(Boolean).join(" ") || undefined}
              >
                {selection && (
                  <td className="check">
                    <input
                      type="checkbox"
                      aria-label={`Select instance ${row.id}`}
                      checked={chosen}
                      onChange={() => onToggle(row.id)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.id} className={classes(column)} data-head={headText(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          {after > 0 && <Room height={after} span={span} />}
        </tbody>
      </table>
    </div>
  );
}

function Room({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden="true" className="room">
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}
