import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { StartProblem } from "../server/platform/process/start-problem.ts";

/** Who pipes a line in has it there by then; a program that leaves its end open and sends nothing is not waited for. */
const pipedMs = 2_000;

/** One line from a person, who does not see it typed, or from a pipe; "" when there is none. */
export async function readSecretLine(question: string): Promise<string> {
  return (await readSecretLines([question]))[0] ?? "";
}

/** A line for each question. */
export async function readSecretLines(questions: readonly string[]): Promise<string[]> {
  const isPerson = process.stdin.isTTY === true;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: isPerson });
  const answers: string[] = [];
  const ask = () => {
    if (isPerson) process.stderr.write(`${answers.length > 0 ? "\n" : ""}${questions[answers.length]}`);
  };
  ask();
  let late: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string[]>((done, cancel) => {
      lines.on("line", (line) => {
        answers.push(line.trim());
        if (answers.length === questions.length) done(answers);
        else ask();
      });
      lines.once("close", () => done(answers));
      lines.once("SIGINT", () => cancel(new StartProblem("Nothing was changed.")));
      if (!isPerson) late = setTimeout(() => done(answers), pipedMs);
    });
  } finally {
    clearTimeout(late);
    lines.close();
    process.stdin.destroy();
    if (isPerson) process.stderr.write("\n");
  }
}
