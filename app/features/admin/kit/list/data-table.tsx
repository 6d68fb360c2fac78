import type { MouseEvent, ReactNode } from "react";

export type Column<Row> = {
  header: ReactNode;
  /** React key of the column, if its header is not a text. */
  key?: string;
  cell: (row: Row) => ReactNode;
  align?: "right";
  /** Keeps the cell's text on one line. */
  nowrap?: boolean;
  /** Takes the width that the other columns leave. */
  grows?: boolean;
  /** Hides the column between 768 and 1280 px, where another cell shows its value. */
  hidesOnTablets?: boolean;
  /**
   * Classes that place the cell in a two-column card on phones: `max-md:col-start-1 max-md:row-start-2`. If no column has
   * them, a card is a list of headers and values.
   */
  phone?: string;
  /** On phones, shows the column's header above the cards, because it contains controls. */
  showsHeaderOnPhones?: boolean;
};

/** Properties of a column with buttons at the end of each row. */
export const actionsColumn = {
  key: "actions",
  header: <span className="sr-only">Actions</span>,
  align: "right",
} as const;

/**
 * Props of a row's main link: a press anywhere on the row follows it. On phones the link covers the row; in a table, whose
 * text can be selected, the row handles the press.
 */
export const rowLink = {
  "data-row-link": "",
  className:
    "inline-block min-w-6 leading-6 font-medium underline decoration-line-strong underline-offset-4 hover:decoration-current max-md:static max-md:no-underline max-md:after:absolute max-md:after:inset-0 max-md:after:content-['']",
};

/** Class for the other controls of a row with such a link, which lifts them above the link on phones. */
export const aboveRowLinkClass = "max-md:relative max-md:z-(--z-raised)";

type TableProps<Row> = {
  /** Table caption for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  /** Whether to tint the row, because it is open or selected. */
  isCurrent?: (row: Row) => boolean;
  /** Actions for the selected rows; they cover the table head. */
  bar?: ReactNode;
  empty: ReactNode;
};
type WithId = { id: string | number };
type RowKey<Row> = (row: Row) => string | number;

/**
 * Rows of data: a table from 768 px, cards below. Roles are explicit, because browsers drop the roles of table elements with
 * another `display`. `empty` is shown if there are no rows. Rows without an `id` need a `rowKey`.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey = rowId,
  isCurrent,
  bar,
  empty,
}: TableProps<Row> & ([Row] extends [WithId] ? { rowKey?: RowKey<Row> } : { rowKey: RowKey<Row> })) {
  if (rows.length === 0) return <>{empty}</>;
  const hasCardLayout = columns.some(({ phone }) => phone !== undefined);
  const rowClass = hasCardLayout
    ? "max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-start max-md:gap-x-4 max-md:gap-y-0.5"
    : "max-md:grid max-md:gap-y-1";
  const hasPhoneHeader = columns.some(({ showsHeaderOnPhones }) => showsHeaderOnPhones);
  return (
    <div className="relative overflow-x-auto rounded-md border border-line bg-surface">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      {bar}
      <table role="table" className="w-full border-collapse text-ui max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead
          role="rowgroup"
          // The bar covers the head.
          className={`${bar ? "md:invisible" : ""} ${hasPhoneHeader ? "max-md:block max-md:border-b max-md:border-line" : "max-md:sr-only"}`}
        >
          <tr role="row" className={hasPhoneHeader ? "max-md:block md:h-15" : ""}>
            {columns.map((column) => (
              <th
                key={columnKey(column)}
                role="columnheader"
                scope="col"
                className={`bg-cream-soft px-3 py-3 text-caption first:pl-4 last:pr-4 font-semibold whitespace-nowrap text-ink-muted ${alignClass(column)} ${widthClass(column)} ${phoneHeaderClass(column)}`}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              onClick={followRowLink}
              onAuxClick={followRowLink}
              className={`max-md:relative max-md:border-t max-md:border-line max-md:px-4 max-md:py-3 max-md:first:border-t-0 hover:bg-cream-soft/60 md:has-data-row-link:cursor-pointer max-md:has-data-row-choice:pl-13 ${rowClass} ${isCurrent?.(row) ? "bg-cream-soft" : ""}`}
            >
              {columns.map((column) => (
                <td
                  key={columnKey(column)}
                  role="cell"
                  className={`md:border-t md:border-line md:px-3 md:py-3 md:first:pl-4 md:last:pr-4 ${alignClass(column)} ${widthClass(column)} ${column.nowrap ? "md:whitespace-nowrap" : ""} ${
                    hasCardLayout
                      ? (column.phone ?? "")
                      : "max-md:flex max-md:justify-between max-md:gap-4 max-md:py-0.5 max-md:text-right"
                  }`}
                >
                  {!hasCardLayout && (
                    <span aria-hidden="true" className="text-left text-small text-ink-muted md:hidden">
                      {column.header}
                    </span>
                  )}
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  );
}

const rowId = ({ id }: WithId) => id;
const columnKey = ({ key, header }: { key?: string; header: ReactNode }) => key ?? String(header);

/** Follows the row's link after a press elsewhere on the row, by any mouse button, unless it ended a text selection. */
function followRowLink(event: MouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget, button } = event;
  if (!(target instanceof Element) || target.closest("a, button, label, input, select, textarea, summary"))
    return;
  const link = currentTarget.querySelector("a[data-row-link]");
  if (!(link instanceof HTMLAnchorElement) || button > 1 || window.getSelection()?.toString()) return;
  if (button === 1 || event.ctrlKey || event.metaKey) window.open(link.href, "_blank", "noopener");
  else link.click();
}

/** On phones, only headers with controls are visible; the others are for screen readers, or hidden if their cells are. */
function phoneHeaderClass({
  showsHeaderOnPhones,
  phone,
}: {
  showsHeaderOnPhones?: boolean;
  phone?: string;
}): string {
  if (phone?.includes("max-md:hidden")) return "max-md:hidden";
  return showsHeaderOnPhones ? "max-md:block max-md:px-4 max-md:py-1" : "max-md:sr-only";
}

function alignClass({ align }: { align?: "right" }): string {
  return align === "right" ? "md:text-right tabular-nums" : "text-left";
}

function widthClass({ hidesOnTablets, grows }: { hidesOnTablets?: boolean; grows?: boolean }): string {
  return hidesOnTablets ? "md:max-xl:hidden" : grows ? "md:w-full" : "";
}
