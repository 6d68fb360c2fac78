import pino, { type DestinationStream, type Logger } from "pino";
import type { Config } from "./config.ts";

/**
 * JSON lines on stderr, so that stdout stays for people. What must never be read in a log is cut out here as well,
 * should a caller hand over a whole request or record.
 */
export function createLog(
  level: Config["logLevel"],
  // Synchronous, so that the last words before a crash are not lost.
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
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

function hideAddresses(text: string): string {
  return text.replace(/[\w.+%-]+@[\w-]+\.[\w.-]+/g, "[e-mail]");
}
