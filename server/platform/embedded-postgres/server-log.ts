import { copyFileSync, existsSync, readFileSync, statSync, truncateSync } from "node:fs";

const bytesMax = 2_000_000;

/** Keeps the server's log within twice 2 MB: the older part moves to `file`.1, over what was there. */
export function trimLog(file: string): void {
  if (!existsSync(file) || statSync(file).size <= bytesMax) return;
  copyFileSync(file, `${file}.1`);
  // The server holds the file open for appending, so it goes on at the new end.
  truncateSync(file, 0);
}

/** The last error in the server's log, without its time and process number. */
export function lastError(file: string): string {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const line = lines.findLast((candidate) => /FATAL|PANIC|error|denied/.test(candidate)) ?? lines.at(-1);
  return line?.replace(/^.*?(FATAL|PANIC):\s*/, "") ?? "it said nothing";
}
