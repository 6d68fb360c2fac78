import { join } from "node:path";
import { skipMark } from "./failure.ts";

/** How the log is archived; docs/decisions explains the numbers. */
export type Archiving = {
  /** Folder of this database's archive. */
  archive: string;
  /** A segment is archived after this time (s) even if it is not full. */
  everySeconds: number;
  /** Maximum size of the log (bytes) that waits while it cannot be archived. */
  maxQueueBytes: number;
};

/** Together with the duration of archiving, at most a minute is lost with the machine. */
export const archiveEverySeconds = 30;
export const maxArchiveQueueBytes = 4 * 1024 ** 3;

export function archiveSettings({ archive, everySeconds, maxQueueBytes }: Archiving): Record<string, string> {
  const script = [process.execPath, join(import.meta.dirname, "archive-wal.ts")].map(quoteForShell).join(" ");
  return {
    archive_mode: "on",
    archive_timeout: String(everySeconds),
    archive_command: `${script} "%p" "%f" ${quoteForShell(archive)} ${maxQueueBytes} || rm ${skipMark("%f")} 2>/dev/null`,
  };
}

export function restoreCommand(archive: string): string {
  const script = [process.execPath, join(import.meta.dirname, "restore-wal.ts")].map(quoteForShell).join(" ");
  return `${script} "%f" "%p" ${quoteForShell(archive)}`;
}

/** Quotes a text for the shell, and escapes `%`, which starts PostgreSQL's placeholders. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;
}
