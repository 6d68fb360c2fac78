import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import {
  checkGroups,
  checkGroupTitles,
  countsSentence,
  type GoLiveCheck,
} from "../domain/go-live/go-live.ts";
import { configWithStoredKeys, readStoredKeys } from "../server/connections/stored-keys.ts";
import { checkContext } from "../server/go-live/check.ts";
import { runChecks } from "../server/go-live/report.ts";
import {
  logLineEntry,
  readOrderTimeline,
  sortByTime,
  type TimelineEntry,
} from "../server/order-desk/admin/timeline.ts";
import type { Database } from "../server/platform/database/database.ts";
import { createLog } from "../server/platform/log.ts";
import { openSecretsKey } from "../server/platform/process/secrets-key.ts";
import { StartProblem } from "../server/platform/process/start-problem.ts";
import { runCommand, withShopDatabase } from "./commands/shop-command.ts";

// `npm run doctor`: the go-live check of the admin panel; the shop may be running. Exit code 1 if there is a problem.
// `npm run doctor -- --order 1001`: the history of an order from the database and, with `--log FILE`, the shop's log.

const stateLabels = { ok: "ok     ", warning: "warning", problem: "PROBLEM" };

const usage = "Usage: npm run doctor [-- --order NUMBER [--log FILE]], where the file - is what is piped in.";

await runCommand(async (config) => {
  const { order, log } = readArguments();
  if (order !== undefined) {
    return withShopDatabase(config, "secrets", (db) => printOrderTimeline(db, order, log));
  }
  await withShopDatabase(config, "secrets", async (db) => {
    const storedKeys = await readStoredKeys(
      db,
      openSecretsKey({ ...config.secretsKey, dataDir: config.dataDir, canCreate: false }),
    );
    const context = checkContext({
      config: configWithStoredKeys(config, storedKeys),
      db,
      log: createLog("silent"),
      now: () => new Date(),
    });
    const { checks, counts } = await runChecks(context);
    for (const group of checkGroups) {
      console.log(`\n${checkGroupTitles[group]}`);
      for (const check of checks.filter((candidate) => candidate.group === group))
        console.log(formatCheck(check));
    }
    console.log(`\n${countsSentence(counts)}`);
    if (counts.problem > 0) process.exitCode = 1;
  });
});

function readArguments(): { order?: string; log?: string } {
  try {
    const { values } = parseArgs({ options: { order: { type: "string" }, log: { type: "string" } } });
    if (values.log !== undefined && values.order === undefined) throw new Error("--log needs --order");
    return values;
  } catch (error) {
    throw new StartProblem(`${error instanceof Error ? error.message : error}. ${usage}`);
  }
}

function formatCheck({ state, title, detail, todo, link }: GoLiveCheck): string {
  const where = link ? ` (${link.to})` : "";
  return `  ${stateLabels[state]}  ${title}: ${detail}${todo === null ? "" : `\n           ${todo}${where}`}`;
}

/**
 * Prints the history of an order, oldest first, from the database and from `log`, the shop's log: a file, or `-` for stdin.
 * Throws StartProblem if order or file does not exist.
 */
async function printOrderTimeline(db: Database, name: string, log: string | undefined): Promise<void> {
  const timeline = await readOrderTimeline(db, name);
  if (!timeline) throw new StartProblem(`There is no order ${name}.`);
  const logEntries: TimelineEntry[] = [];
  if (log !== undefined) {
    for await (const line of readLines(log)) {
      const entry = logLineEntry(line, timeline);
      if (entry) logEntries.push(entry);
    }
  }
  for (const { at, source, text } of sortByTime([...timeline.entries, ...logEntries])) {
    console.log(`${at.toISOString()}  ${source.padEnd(9)}  ${text}`);
  }
}

async function* readLines(log: string): AsyncGenerator<string> {
  const stream = log === "-" ? process.stdin : createReadStream(log);
  try {
    yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartProblem(`The log cannot be read: ${reason}`);
  }
}
