import { writeSync } from "node:fs";
import pino, { type DestinationStream, type Logger } from "pino";
import type { Config } from "./config.ts";
import { withInertLinks } from "./http/inert-links.ts";
import { workIds } from "./process/running-work.ts";

/**
 * JSON lines on stderr; stdout is for people. Secrets are also redacted here, should a caller log a whole request
 * or row.
 */
export function createLog(level: Config["logLevel"], destination: DestinationStream = lineWriter(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: workIds,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: hiddenPaths, censor: "[hidden]" },
      serializers: { err: describeError },
    },
    destination,
  );
}

/** Longest time (ms) for which a line waits for a slow reader, in steps of `slowReaderStepMs`. */
const slowReaderMs = 100;
const slowReaderStepMs = 5;

/**
 * Writes each line synchronously, so that the last one before a crash is not lost. A line that cannot be written, for example
 * on a full disk, is dropped and counted; the next one is preceded by the number of missing lines.
 */
export function lineWriter(fd: number): DestinationStream {
  let lostLineCount = 0;
  /** Whether the last line was written only in part. */
  let isCut = false;

  function writeAll(text: string, timeoutMs: number): void {
    const bytes = Buffer.from(text);
    for (let writtenBytes = 0, waitedMs = 0; writtenBytes < bytes.length; ) {
      try {
        writtenBytes += writeSync(fd, bytes, writtenBytes);
        isCut = writtenBytes < bytes.length;
      } catch (error) {
        // The pipe is full; the reader may just be busy.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || waitedMs >= timeoutMs) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slowReaderStepMs);
        waitedMs += slowReaderStepMs;
      }
    }
  }

  return {
    write(line) {
      try {
        // A reader that left the previous line unread is not waited for again.
        const timeoutMs = lostLineCount > 0 ? 0 : slowReaderMs;
        if (lostLineCount > 0) {
          const time = new Date().toISOString();
          const notice = {
            level: "warn",
            time,
            lost: lostLineCount,
            msg: "the log could not be written for a while",
          };
          writeAll(`${isCut ? "\n" : ""}${JSON.stringify(notice)}\n`, timeoutMs);
          lostLineCount = 0;
        }
        writeAll(line, timeoutMs);
      } catch {
        lostLineCount += 1;
      }
    },
  };
}

/** Ignores errors of output for people, such as a closed pipe or a full disk. */
export function ignoreBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

const hiddenNames = [
  "password",
  "secret",
  "clientSecret",
  "client_secret",
  "accessCode",
  "token",
  "authorization",
  "cookie",
  "card",
  "email",
];
const hiddenPaths = hiddenNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** A database error's fields repeat what the customer entered, so only its message and stack are logged. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return hideAddresses(String(error));
  return {
    type: error.name,
    message: withoutParameters(error.message),
    ...("code" in error ? { code: error.code } : {}),
    stack: withoutParameters(error.stack ?? ""),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** Drizzle appends the statement's values, possibly over several lines; the stack repeats them. */
function withoutParameters(text: string): string {
  return hideAddresses(text.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/g, "\nparams: [hidden]"));
}

/**
 * Hides e-mail addresses and tokens of links. Scans each run of letters only once, because scanning from each letter would
 * take seconds for long texts.
 */
function hideAddresses(text: string): string {
  return withInertLinks(text).replace(/(?<![\w.+%-])[\w.+%-]+@[\w-]+\.[\w.-]+/g, "[e-mail]");
}

/** An error as one line: its root cause. */
export function inOneLine(error: unknown): string {
  if (!(error instanceof Error)) return hideAddresses(String(error));
  if (error.cause instanceof Error) return inOneLine(error.cause);
  const [line = ""] = withoutParameters(error.message).trim().split("\n");
  return line || error.name;
}
