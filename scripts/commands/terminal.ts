import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { StartProblem } from "../../server/platform/process/start-problem.ts";

const barChars = 30;
/** Without a terminal, a line is printed each time the progress has grown by this share. */
const lineShare = 0.25;

/** Prints progress on stderr: a bar on a terminal, a few lines otherwise. */
export function showProgress(title: string): { update(share: number): void; end(): void } {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const isTerminal = process.stderr.isTTY === true;
  let printedShare = 0;
  if (!isTerminal) process.stderr.write(`${title} ...\n`);
  const draw = (share: number) => {
    const full = Math.round(barChars * share);
    const bar = "█".repeat(full) + "░".repeat(barChars - full);
    process.stderr.write(`\r${title} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${seconds()}`);
  };
  return {
    update(share) {
      if (isTerminal) return draw(share);
      if (share < printedShare + lineShare || share >= 1) return;
      printedShare = share;
      process.stderr.write(`${title}: ${Math.floor(share * 100)} %, ${seconds()}\n`);
    },
    end() {
      if (isTerminal) process.stderr.write("\n");
    },
  };
}

/** Time to wait for a piped line; a program may keep the pipe open without sending one. */
const pipedMs = 2_000;

/** Reads one line from the terminal without echo, or from a pipe; "" if there is none. */
export async function readSecretLine(question: string): Promise<string> {
  return (await readSecretLines([question]))[0] ?? "";
}

/** Reads one line per question. */
export async function readSecretLines(questions: readonly string[]): Promise<string[]> {
  const isTerminal = process.stdin.isTTY === true;
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: discard, terminal: isTerminal });
  const answers: string[] = [];
  const ask = () => {
    if (isTerminal) process.stderr.write(`${answers.length > 0 ? "\n" : ""}${questions[answers.length]}`);
  };
  ask();
  let timeout: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string[]>((resolve, reject) => {
      lines.on("line", (line) => {
        answers.push(line.trim());
        if (answers.length === questions.length) resolve(answers);
        else ask();
      });
      lines.once("close", () => resolve(answers));
      lines.once("SIGINT", () => reject(new StartProblem("Nothing was changed.")));
      if (!isTerminal) timeout = setTimeout(() => resolve(answers), pipedMs);
    });
  } finally {
    clearTimeout(timeout);
    lines.close();
    process.stdin.destroy();
    if (isTerminal) process.stderr.write("\n");
  }
}
