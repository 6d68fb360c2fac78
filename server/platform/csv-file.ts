export type CsvRecord = { /** Counts from 1; a cell may span lines. */ line: number; cells: string[] };
/** `encoding`: the detected encoding. `problem`: a message for the owner. */
type CsvFile = { ok: true; encoding: string; records: CsvRecord[] } | { ok: false; problem: string };

const maxColumns = 500;
/** Maximum number of characters in a cell (more than any product's description has) and in a title. */
const maxCellLength = 50_000;
const maxTitleLength = 200;

/**
 * Reads a CSV file from any program: UTF-8, UTF-16 with a byte order mark, or otherwise Windows-1252; separated by comma,
 * semicolon or tab; quoted as in RFC 4180; with any line endings. Empty lines are skipped. At most `maxRows` records may
 * follow the header.
 */
export function readCsvFile(bytes: Uint8Array, maxRows: number): CsvFile {
  const decoded = decode(bytes);
  if ("problem" in decoded) return { ok: false, problem: decoded.problem };
  const [, declaredSeparator, text = ""] = /^(?:sep=([,;\t])\r?\n)?([\s\S]*)$/i.exec(decoded.text) ?? [];
  const records = parseRecords(
    text,
    declaredSeparator ?? detectSeparator(text),
    declaredSeparator === undefined ? 1 : 2,
    maxRows,
  );
  if (typeof records === "string") return { ok: false, problem: records };
  if (records.length > maxRows + 1) {
    const limit = maxRows.toLocaleString("en-US");
    return { ok: false, problem: `The file has more than ${limit} rows. Import it in parts.` };
  }
  return { ok: true, encoding: decoded.encoding, records };
}

function decode(bytes: Uint8Array): { encoding: string; text: string } | { problem: string } {
  const [first, second] = bytes;
  if (first === 0x50 && second === 0x4b) {
    return { problem: "This is a spreadsheet, not a CSV file. Save it as CSV (UTF-8) and choose that file." };
  }
  const utf16 =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff && "utf-16be";
  const decodeAs = (encoding: string) => new TextDecoder(encoding, { fatal: true }).decode(bytes);
  try {
    if (utf16) return { encoding: "UTF-16", text: decodeAs(utf16) };
    const utf8 = decodeAs("utf-8");
    return utf8.includes("\0") ? notText : { encoding: "UTF-8", text: utf8 };
  } catch {
    return utf16 || bytes.includes(0)
      ? notText
      : { encoding: "Windows-1252", text: decodeAs("windows-1252") };
  }
}

const notText = { problem: "This is not a text file. Save it as CSV (UTF-8) and choose that file." };

/** The most frequent separator in the header, outside quotes. */
function detectSeparator(text: string): string {
  const head = (/^\s*(?:[^"\r\n]|"[^"]*")*/.exec(text)?.[0] ?? "").replaceAll(/"[^"]*"/g, "");
  const columnCount = (separator: string) => head.split(separator).length;
  return [";", "\t"].reduce(
    (best, separator) => (columnCount(separator) > columnCount(best) ? separator : best),
    ",",
  );
}

/** Header and rows, or the problem. Reads at most one row more than permitted. */
function parseRecords(
  text: string,
  separator: string,
  firstLine: number,
  maxRows: number,
): CsvRecord[] | string {
  const token = new RegExp(
    `"([^"]*(?:""[^"]*)*)"|([^${separator}\r\n"][^${separator}\r\n]*)|${separator}|\r\n|\r|\n`,
    "y",
  );
  const records: CsvRecord[] = [];
  let [line, start] = [firstLine, firstLine];
  let cells = [""];
  let tooLongLine: number | null = null;
  const endRecord = () => {
    if (cells.some(({ length }) => length > (records.length === 0 ? maxTitleLength : maxCellLength)))
      tooLongLine ??= start;
    if (cells.some((cell) => cell.trim() !== "")) records.push({ line: start, cells });
    cells = [""];
    start = line;
  };
  for (let position = 0; position < text.length; position = token.lastIndex) {
    token.lastIndex = position;
    const [match, quoted, plain] = token.exec(text) ?? [];
    if (match === undefined) return `A quotation mark in line ${line} is never closed.`;
    if (match === separator) cells.push("");
    else if (quoted !== undefined) {
      cells[cells.length - 1] += quoted.replaceAll('""', '"');
      line += quoted.split(/\r\n|\r|\n/).length - 1;
    } else if (plain !== undefined) cells[cells.length - 1] += plain;
    else {
      line += 1;
      endRecord();
      if (tooLongLine !== null) break;
      if (records.length > maxRows + 1) return records;
    }
    if (cells.length > maxColumns) return `Line ${line} has more than ${maxColumns} columns.`;
  }
  endRecord();
  return tooLongLine === null ? records : `A cell in line ${tooLongLine} is too long.`;
}
