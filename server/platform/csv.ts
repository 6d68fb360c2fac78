import { setImmediate as nextTurn } from "node:timers/promises";
import { zonedTime } from "../../domain/shared/zoned-time.ts";
import { withInertLinks } from "./http/inert-links.ts";

/** Byte order mark, by which spreadsheets recognize UTF-8. */
export const byteOrderMark = "\uFEFF";

type CsvCell = string | number | URL | null;
/** Rows per batch of a streamed file: a compromise between speed and memory. Larger batches are sent in parts, as calls wait. */
export const csvBatchSize = 500;

/**
 * A CSV file as a stream. Each batch is read after the client has received the previous one, so that a slow client holds no
 * locks; if the client disconnects, reading stops.
 */
export function csvStream<Row>(
  titles: readonly string[],
  readBatch: (cursor: string | null) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>,
  cellsOf: (row: Row) => readonly CsvCell[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: ReturnType<typeof readBatch> | null = null;
  let head = byteOrderMark + csvLine(titles);
  let unsent: readonly Row[] = [];
  let isLast = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(file) {
        if (unsent.length === 0) {
          const { rows, nextCursor } = await (next ?? readBatch(null));
          unsent = rows;
          isLast = nextCursor === null;
          if (nextCursor !== null) {
            next = readBatch(nextCursor);
            // The error is thrown again when the promise is awaited.
            next.catch(() => {});
          }
        } else await nextTurn();
        const rows = unsent.slice(0, csvBatchSize);
        unsent = unsent.slice(csvBatchSize);
        file.enqueue(encoder.encode(head + rows.map((row) => csvLine(cellsOf(row))).join("")));
        head = "";
        if (isLast && unsent.length === 0) file.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** One line of a file for spreadsheets (RFC 4180). */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** Runs of blanks and quotation marks, and the positions directly before the first character of a formula. */
const beforeFormulas = /(?<![\s"])(?:[\s"]+|(?=[=+\-@＝＋－＠]))/g;

/**
 * Puts an apostrophe where a spreadsheet would begin a formula: at the start, and after separators that some programs use for
 * cells or lines. For programs that separate by `;` or tab, our quotes are in the middle of a cell and protect nothing.
 */
function withoutFormulas(text: string): string {
  if (!/[";\t\r\n]/.test(text)) return /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return text.replace(beforeFormulas, (run: string, at: number) => {
    const isFormula = /^[=+\-@＝＋－＠]/.test(text.charAt(at + run.length));
    const starts = isFormula ? /(?<=[;\t\r\n])/g : /(?<=[;\t\r\n])(?=[\t\r])/g;
    return `${text[at - 1] ?? ";"}${run}`.replace(starts, "'").slice(1);
  });
}

const amount = /^-\d+(\.\d+)?$/;
/** Texts that need no change but quotes, as most do: no formula can begin, and there is neither a link nor another separator. */
const plain = /^[^\s"=+\-@＝＋－＠;?&%][^";\t\r\n?&%]*$/;

/**
 * Adds an apostrophe to formulas, which spreadsheets hide at the start of a cell, but not to negative amounts. Links in texts are
 * made inert, because people paste private links; a `URL` stays a link.
 */
function csvCell(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value === "number" || value instanceof URL) return String(value);
  if (plain.test(value)) return value.includes(",") ? `"${value}"` : value;
  const text = amount.test(value) ? value : withoutFormulas(withInertLinks(value));
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** "2026-11-20 09:14:00" in a time zone (IANA name), a format that spreadsheets recognize. */
export function csvTime(at: Date | null, timeZone: string): string | null {
  return at === null ? null : zonedTime(at, timeZone);
}

/** Headers of a file that is downloaded under this name. */
export function csvHeaders(fileName: string): Record<string, string> {
  return {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${fileName}"`,
    "Cache-Control": "no-store",
  };
}
