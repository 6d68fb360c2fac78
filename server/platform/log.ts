import { writeSync } from "node:fs";
import pino, { type DestinationStream, type Logger } from "pino";
import type { Config } from "./config.ts";

/**
 * JSON lines on stderr, so that stdout stays for people. What must never be read in a log is cut out here as well,
 * should a caller hand over a whole request or record.
 */
export function createLog(level: Config["logLevel"], destination: DestinationStream = linesTo(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: hiddenPaths, censor: "[hidden]" },
      serializers: { err: describeError },
    },
    destination,
  );
}

/** How long a reader who is slow may hold up one line (ms), looked at again every `slowReaderStepMs`. */
const slowReaderMs = 100;
const slowReaderStepMs = 5;

/**
 * Writes each line before it returns, so that the last words before a crash are not lost. A line that cannot be written,
 * on a full disk say, is dropped and counted; the next one that can be is preceded by how many are missing.
 */
export function linesTo(fd: number): DestinationStream {
  let lost = 0;
  /** The last line was cut off in its middle. */
  let isCut = false;

  function writeAll(text: string, patienceMs: number): void {
    const bytes = Buffer.from(text);
    for (let written = 0, waitedMs = 0; written < bytes.length; ) {
      try {
        written += writeSync(fd, bytes, written);
        isCut = written < bytes.length;
      } catch (error) {
        // A pipe that is full: its reader may only be busy.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || waitedMs >= patienceMs) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slowReaderStepMs);
        waitedMs += slowReaderStepMs;
      }
    }
  }

  return {
    write(line) {
      try {
        // A reader who left the line before unread is not waited for again.
        const patienceMs = lost > 0 ? 0 : slowReaderMs;
        if (lost > 0) {
          const time = new Date().toISOString();
          const notice = { level: "warn", time, lost, msg: "the log could not be written for a while" };
          writeAll(`${isCut ? "\n" : ""}${JSON.stringify(notice)}\n`, patienceMs);
          lost = 0;
        }
        writeAll(line, patienceMs);
      } catch {
        lost += 1;
      }
    },
  };
}

/** What is written for people may be read by nobody any more, or find the disk full: no reason for the shop to end. */
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

/** A database error's own fields repeat what the customer entered, so only what says where and why is kept. */
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

/** Drizzle ends its message with the statement's values, which may be of several lines; the stack repeats it. */
function withoutParameters(text: string): string {
  return hideAddresses(text.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/g, "\nparams: [hidden]"));
}

/** Looks at a run of letters once only, from its beginning: from each of them, long texts would take seconds. */
function hideAddresses(text: string): string {
  return text.replace(/(?<![\w.+%-])[\w.+%-]+@[\w-]+\.[\w.-]+/g, "[e-mail]");
}

/** An error for whoever starts the shop: the reason at its root, on one line. */
export function inOneLine(error: unknown): string {
  if (!(error instanceof Error)) return hideAddresses(String(error));
  if (error.cause instanceof Error) return inOneLine(error.cause);
  const [line = ""] = withoutParameters(error.message).trim().split("\n");
  return line || error.name;
}
