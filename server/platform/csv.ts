import { setImmediate as nextTurn } from "node:timers/promises";
import { zonedTimestamp } from "../../domain/shared/zoned-time.ts";
import { withInertLinks } from "./http/inert-links.ts";

/** Byte order mark, by which spreadsheets recognize UTF-8. */
export const byteOrderMark = "\uFEFF";

type CsvCell = string | number | URL | null;
/** Rows of a streamed file that are converted at once: few enough to keep the event loop responsive. */
export const csvBatchSize = 500;

/**
 * A CSV file as a stream. Reads only one batch ahead of the client, so that a slow client holds no locks; if the client
 * disconnects, reading stops.
 */
export function csvStream<Row>(
  titles: readonly string[],
  readBatch: (cursor: string | null) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>,
  getCells: (row: Row) => readonly CsvCell[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let nextBatch: ReturnType<typeof readBatch> | null = null;
  let head = byteOrderMark + csvLine(titles);
  let unsent: readonly Row[] = [];
  let isLast = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (unsent.length === 0) {
          const { rows, nextCursor } = await (nextBatch ?? readBatch(null));
          unsent = rows;
          isLast = nextCursor === null;
          if (nextCursor !== null) {
            nextBatch = readBatch(nextCursor);
            // The error is thrown again when the promise is awaited.
            nextBatch.catch(() => {});
          }
        } else await nextTurn();
        const rows = unsent.slice(0, csvBatchSize);
        unsent = unsent.slice(csvBatchSize);
        controller.enqueue(encoder.encode(head + rows.map((row) => csvLine(getCells(row))).join("")));
        head = "";
        if (isLast && unsent.length === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** One line of a file for spreadsheets (RFC 4180). */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** First characters of formulas, for character classes; also full-width ones. */
const formulaStarts = String.raw`=+\-@＝＋－＠`;
const formula = new RegExp(String.raw`^\s*[${formulaStarts}]`);
/** Runs of blanks and quotation marks, and the positions directly before the first character of a formula. */
const beforeFormulas = new RegExp(String.raw`(?<![\s"])(?:[\s"]+|(?=[${formulaStarts}]))`, "g");

/**
 * Puts an apostrophe where a spreadsheet would begin a formula: at the start, and after the characters with which some programs
 * separate cells or lines. Programs that separate by `;` or tab find our quotation marks in the middle of a cell, where they
 * do not quote.
 */
function withoutFormulas(text: string): string {
  if (!/[";\t\r\n]/.test(text)) return formula.test(text) ? `'${text}` : text;
  return text.replace(beforeFormulas, (run: string, at: number) => {
    const starts = formula.test(text.charAt(at + run.length))
      ? /(?<=[;\t\r\n])/g
      : /(?<=[;\t\r\n])(?=[\t\r])/g;
    return `${text[at - 1] ?? ";"}${run}`.replace(starts, "'").slice(1);
  });
}

const negativeAmount = /^-\d+(\.\d+)?$/;
/** Most texts contain no formula, no link and no separator but commas: they need quotation marks at most. */
const plainText = new RegExp(String.raw`^[^\s"${formulaStarts};?&%][^";\t\r\n?&%]*$`);

/**
 * Adds an apostrophe to formulas, which spreadsheets hide at the start of a cell, but not to negative amounts. Links in texts are
 * made inert, because people paste private links; a `URL` stays a link.
 */
function csvCell(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value === "number" || value instanceof URL) return String(value);
  if (plainText.test(value)) return value.includes(",") ? `"${value}"` : value;
  const text = negativeAmount.test(value) ? value : withoutFormulas(withInertLinks(value));
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** "2026-11-20 09:14:00" in a time zone (IANA name), a format that spreadsheets recognize. */
export function csvTime(at: Date | null, timeZone: string): string | null {
  return at === null ? null : zonedTimestamp(at, timeZone);
}

/** Response headers of a downloaded CSV file. */
export function csvHeaders(fileName: string): Record<string, string> {
  return {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${fileName}"`,
    "Cache-Control": "no-store",
  };
}
