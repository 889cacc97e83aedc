import type { ReactNode } from "react";

export interface Column<Row> {
  id: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers stand to the right. */
  align?: "right";
  /** Left out where the screen is narrow. */
  wideOnly?: boolean;
  /** Takes the room that is left, and cuts long text off. */
  grow?: boolean;
}

const classes = <Row,>({ align, wideOnly, grow }: Column<Row>) =>
  [align && "right", wideOnly && "wide-only", grow && "grow"].filter(Boolean).join(" ") || undefined;

/** A plain table. `label` names it for screen readers. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={classes(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.id} className={classes(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
