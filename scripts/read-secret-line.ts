import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { StartProblem } from "../server/platform/process/start-problem.ts";

/** Who pipes a line in has it there by then; a program that leaves its end open and sends nothing is not waited for. */
const pipedMs = 2_000;

/** One line from a person, who does not see it typed, or from a pipe; "" when there is none. */
export async function readSecretLine(question: string): Promise<string> {
  const isPerson = process.stdin.isTTY === true;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: isPerson });
  if (isPerson) process.stderr.write(question);
  let late: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((done, cancel) => {
      lines.once("line", (line) => done(line.trim()));
      lines.once("close", () => done(""));
      lines.once("SIGINT", () => cancel(new StartProblem("Nothing was changed.")));
      if (!isPerson) late = setTimeout(() => done(""), pipedMs);
    });
  } finally {
    clearTimeout(late);
    lines.close();
    process.stdin.destroy();
    if (isPerson) process.stderr.write("\n");
  }
}
