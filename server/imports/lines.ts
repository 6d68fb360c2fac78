import * as v from "valibot";
import { parseMoney } from "../../domain/shared/money.ts";
import { isDate } from "../../domain/shared/zoned-days.ts";
import type { CsvRecord } from "../platform/csv-file.ts";
import { issueSentence } from "../platform/http/request-body.ts";

/** Thrown to refuse a row. Its message tells the owner the reason. */
export class RowRefused extends Error {}

/** A row of the file with its titles, whose case is ignored. Several titles are alternatives for one column. */
export class Line {
  readonly lineNumber: number;
  readonly #cells: ReadonlyMap<string, string>;

  constructor(lineNumber: number, cells: ReadonlyMap<string, string>) {
    this.lineNumber = lineNumber;
    this.#cells = cells;
  }

  has(...titles: string[]): boolean {
    return titles.some((title) => this.#cells.has(title.toLowerCase()));
  }

  /** The first of these cells that is not empty, trimmed. */
  text(...titles: string[]): string {
    for (const title of titles) {
      // Exports for spreadsheets, ours too, put an apostrophe before what would be a formula.
      const cell = this.#cells
        .get(title.toLowerCase())
        ?.trim()
        .replace(/^'(?=[=+\-@])/, "");
      if (cell) return cell;
    }
    return "";
  }

  /** An amount in cents; null if the cell is empty. */
  money(...titles: string[]): number | null {
    const cell = this.text(...titles);
    if (cell === "") return null;
    const amount = cell
      .replace(/^(?:US)?\$\s*/, "")
      .replace(
        /^(\d{1,3}(?:,\d{3})+)(\.|$)/,
        (_, whole: string, end: string) => whole.replaceAll(",", "") + end,
      )
      .replace(/^(\d+),(\d{1,2})$/, "$1.$2")
      .replace(/(\.\d\d)0+$/, "$1");
    const cents = parseMoney(amount);
    if (Number.isNaN(cents)) throw new RowRefused(`${titles[0]}: “${cell}” is not an amount like 29.95.`);
    return cents;
  }

  /** Null if the cell is empty. */
  wholeNumber(...titles: string[]): number | null {
    const cell = this.text(...titles);
    if (cell === "") return null;
    if (!/^-?\d{1,9}(\.0+)?$/.test(cell))
      throw new RowRefused(`${titles[0]}: “${cell}” is not a whole number.`);
    return Number(cell);
  }

  /** Null if the cell is empty. */
  yesNo(...titles: string[]): boolean | null {
    const cell = this.text(...titles).toLowerCase();
    if (cell === "") return null;
    if (["yes", "true", "1", "on", "y"].includes(cell)) return true;
    if (["no", "false", "0", "-1", "off", "n"].includes(cell)) return false;
    throw new RowRefused(`${titles[0]}: “${cell}” is neither yes nor no.`);
  }

  /** A day (`YYYY-MM-DD`) or an ISO 8601 time; null if the cell is empty. */
  time(...titles: string[]): { day: string } | { at: Date } | null {
    return parseTime(titles[0] ?? "", this.text(...titles));
  }
}

/** Like `Line.time`, for a text. */
export function parseTime(title: string, cell: string): { day: string } | { at: Date } | null {
  if (cell === "") return null;
  const day = cell.slice(0, 10);
  if (isDate(day) && cell === day) return { day };
  const iso = cell
    .replace(" ", "T")
    .replace(/ ?UTC$/, "Z")
    .replace(/ (?=[+-]\d{4}$)/, "");
  if (isDate(day) && v.is(v.pipe(v.string(), v.isoTimestamp()), iso)) return { at: new Date(iso) };
  throw new RowRefused(`${title}: “${cell}” is not a date like 2026-12-31.`);
}

/** The lines below the header. Of two columns with the same title, only one is read. */
export function namedLines([head, ...records]: readonly CsvRecord[]): { titles: string[]; lines: Line[] } {
  const titles = (head?.cells ?? []).map((title) => title.trim());
  const lines = records.map(({ line, cells }) => {
    const cellsByTitle = new Map<string, string>();
    for (const [column, title] of titles.entries()) {
      if (title !== "" && !cellsByTitle.has(title.toLowerCase()))
        cellsByTitle.set(title.toLowerCase(), cells[column] ?? "");
    }
    return new Line(line, cellsByTitle);
  });
  return { titles, lines };
}

/** The value by the schema of the panel's form, or a refusal with its messages. `titles`: names of fields for the owner. */
export function parseValue<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  titles: Record<string, string>,
): v.InferOutput<S> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const issues = new Map(result.issues.map((issue) => [v.getDotPath(issue) ?? "", issueSentence(issue)]));
  throw new RowRefused(fieldsText(Object.fromEntries(issues), titles));
}

/** "Code: There is a discount with this code already." */
export function fieldsText(fields: Record<string, string>, titles: Record<string, string>): string {
  return Object.entries(fields)
    .map(([field, sentence]) => `${titles[field] ?? field}: ${sentence.replace(/[.]?$/, ".")}`)
    .join(" ");
}
