export type CsvRow = Record<string, string>;

/** The lines of a file of the books by its titles, without the time zone in them. */
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
export const centsOf = (text: string | undefined) => Math.round(Number(text ?? 0) * 100);

/** A column added up, in cents. */
export const sumOf = (lines: readonly CsvRow[], title: string) =>
  lines.reduce((total, line) => total + centsOf(line[title]), 0);
