import { Fragment, type ReactNode } from "react";

export interface Column<Row> {
  id: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Alignment of the column; numbers are aligned to the right. */
  align?: "right";
  /** True for a column that takes the remaining width and truncates long text. */
  grow?: boolean;
}

const classes = <Row,>({ align, grow }: Column<Row>) =>
  [align && "right", grow && "grow"].filter(Boolean).join(" ") || undefined;

/** Returns the label of a value on a card. */
export const headText = <Row,>({ head }: Column<Row>) => (typeof head === "string" ? head : undefined);

/**
 * A plain table. `label` names it for screen readers; `below` returns the content of an open row, over the whole
 * width. On a narrow screen each row is a card.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  below,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  below?: (row: Row) => ReactNode;
}) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="stacks">
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
          {rows.map((row) => {
            const more = below?.(row);
            return (
              <Fragment key={rowKey(row)}>
                <tr>
                  {columns.map((column) => (
                    <td
                      key={column.id}
                      className={classes(column)}
                      data-head={headText(column)}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
                {more && (
                  <tr className="row-below">
                    <td colSpan={columns.length}>{more}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
