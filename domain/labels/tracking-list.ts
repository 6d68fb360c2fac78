import * as v from "valibot";
import { carriers, recognizeCarrier } from "../orders/tracking.ts";

/** Maximum length of a pasted or uploaded list, and of its rows. */
export const trackingListLimits = { characters: 60_000, rows: 100 };

export const trackingListFormSchema = v.object({
  text: v.pipe(
    v.string("Must be text"),
    v.maxLength(trackingListLimits.characters, "This list is too long: paste it in two parts"),
  ),
});

/** A row of the list and its order. `problem` null if the parcel can be booked. */
export const matchedTrackingSchema = v.object({
  /** Line number in the list, from 1, the header included. */
  line: v.number(),
  text: v.string(),
  orderId: v.nullable(v.string()),
  number: v.nullable(v.number()),
  carrier: v.nullable(v.string()),
  trackingNumber: v.nullable(v.string()),
  problem: v.nullable(v.string()),
});
export type MatchedTracking = v.InferOutput<typeof matchedTrackingSchema>;

type TrackingRow = {
  line: number;
  text: string;
  /** The order number as written: "#1001"; null if there is none. */
  order: string | null;
  carrier: string | null;
  trackingNumber: string | null;
};

/**
 * Rows of a list of tracking numbers: a CSV or TSV file with a header, or pasted lines of order number, tracking number and,
 * optionally, carrier, in any order.
 */
export function parseTrackingList(text: string): TrackingRow[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const header = lines.findIndex((line) => line.trim() !== "");
  const columns = findColumns(splitCells(lines[header] ?? ""));
  return lines.flatMap((line, index) => {
    if (line.trim() === "" || (columns && index <= header)) return [];
    const cells = splitCells(line);
    const rowCells = columns ? namedCells(cells, columns) : guessedCells(cells);
    const { trackingNumber } = rowCells;
    const carrier = rowCells.carrier ?? (trackingNumber && recognizeCarrier(trackingNumber));
    return [{ line: index + 1, text: line.trim().slice(0, 120), ...rowCells, carrier }];
  });
}

type Columns = { order: number; trackingNumber: number; carrier: number };

/** Columns by their titles, which differ from tool to tool; null if the line is not a header. */
function findColumns(titles: readonly string[]): Columns | null {
  const find = (title: RegExp) => titles.findIndex((cell) => title.test(cell));
  const trackingNumber = find(/tracking/i);
  const order = find(/^order( ?(number|no\.?|#|id))?$|^reference/i);
  if (trackingNumber === -1 || order === -1) return null;
  return { order, trackingNumber, carrier: find(/carrier|^provider$|shipped with/i) };
}

function namedCells(cells: readonly string[], { order, trackingNumber, carrier }: Columns) {
  const cell = (index: number) => cells[index]?.trim() || null;
  return { order: cell(order), trackingNumber: cell(trackingNumber), carrier: knownCarrier(cell(carrier)) };
}

/** Without a header, a number of four to nine digits is interpreted as the order number. */
function guessedCells(cells: readonly string[]) {
  const filledCells = cells.map((cell) => cell.trim()).filter(Boolean);
  const order = filledCells.find((cell) => /^#?\d{4,9}$/.test(cell)) ?? null;
  const otherCells = filledCells.filter((cell) => cell !== order);
  const carrierCell = otherCells.find((cell) =>
    carriers.some((name) => name.toLowerCase() === cell.toLowerCase()),
  );
  const trackingNumber = otherCells.find(
    (cell) => cell !== carrierCell && /^(?=.*\d)[A-Za-z0-9 -]{8,60}$/.test(cell),
  );
  return { order, trackingNumber: trackingNumber ?? null, carrier: knownCarrier(carrierCell ?? null) };
}

/** The carrier in the shop's spelling. */
function knownCarrier(name: string | null): string | null {
  if (name === null) return null;
  return carriers.find((carrier) => carrier.toLowerCase() === name.toLowerCase()) ?? name.slice(0, 60);
}

/**
 * Cells of a line, separated by tab, semicolon or comma, except within quotes. In a line without any of these, only the first
 * space separates, since tracking numbers may contain spaces.
 */
function splitCells(line: string): string[] {
  if (!/[\t;,]/.test(line)) {
    const [, first = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(line.trim()) ?? [];
    return [first, rest];
  }
  const separator = line.includes("\t") ? "\t" : line.includes(";") ? ";" : ",";
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '"' && isQuoted && line.charAt(index + 1) === '"') {
      cell += '"';
      index += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell);
      cell = "";
    } else cell += character;
  }
  return [...cells, cell];
}
