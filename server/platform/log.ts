import pino, { type Logger } from "pino";
import type { Config } from "./config.ts";

/**
 * JSON lines on stderr, so that stdout stays for people. What must never be read in a log is cut out here as well,
 * should a caller hand over a whole request or record.
 */
export function createLog(level: Config["logLevel"]): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: hiddenPaths, censor: "[hidden]" },
    },
    // Synchronous, so that the last words before a crash are not lost.
    pino.destination({ dest: 2, sync: true }),
  );
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
