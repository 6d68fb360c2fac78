export type CsvRow = Record<string, string>;

/** The rows of a CSV file of the books, keyed by column titles without the time zone. */
export function csvRows(text: string): CsvRow[] {
  const [head = "", ...lines] = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n");
  const titles = head.split(",").map((title) => title.replace(/ \(.*\)$/, ""));
  return lines.map((line) => {
    const cells =
      line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, "").replaceAll('"', "")) ??
      [];
    return Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ""]));
  });
}

/** "35.90" -> 3590; "" -> 0. */
export const parseCents = (text: string | undefined) => Math.round(Number(text ?? 0) * 100);

/** Sum of a column, in cents. */
export const sumColumn = (lines: readonly CsvRow[], title: string) =>
  lines.reduce((total, line) => total + parseCents(line[title]), 0);
