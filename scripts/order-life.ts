import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { inOrder, type LifeEntry, logEntry, readOrderLife } from "../server/order-desk/admin/life.ts";
import type { Database } from "../server/platform/database/database.ts";
import { StartProblem } from "../server/platform/process/start-problem.ts";

/**
 * Prints what happened to an order, oldest first, as the database has it and, with `log` (a file, or `-` for what is piped in),
 * the shop's log. Throws StartProblem where there is no such order or file.
 */
export async function printOrderLife(db: Database, name: string, log: string | undefined): Promise<void> {
  const life = await readOrderLife(db, name);
  if (!life) throw new StartProblem(`There is no order ${name}.`);
  const logged: LifeEntry[] = [];
  if (log !== undefined) {
    for await (const line of linesOf(log)) {
      const entry = logEntry(line, life);
      if (entry) logged.push(entry);
    }
  }
  for (const { at, source, text } of inOrder([...life.entries, ...logged])) {
    console.log(`${at.toISOString()}  ${source.padEnd(9)}  ${text}`);
  }
}

async function* linesOf(log: string): AsyncGenerator<string> {
  const stream = log === "-" ? process.stdin : createReadStream(log);
  try {
    yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartProblem(`The log cannot be read: ${reason}`);
  }
}
