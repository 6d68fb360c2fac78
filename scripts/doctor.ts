import { parseArgs } from "node:util";
import {
  checkGroups,
  checkGroupTitles,
  countsSentence,
  type GoLiveCheck,
} from "../domain/go-live/go-live.ts";
import { readStored, withStored } from "../server/connections/stored.ts";
import { checkContext } from "../server/go-live/check.ts";
import { runChecks } from "../server/go-live/report.ts";
import { createLog } from "../server/platform/log.ts";
import { openSecretsKey } from "../server/platform/process/secrets-key.ts";
import { StartProblem } from "../server/platform/process/start-problem.ts";
import { printOrderLife } from "./order-life.ts";
import { runCommand, withShopDatabase } from "./shop-command.ts";

// `npm run doctor`: the go-live check of the admin panel, whether the shop runs or not. Exit code 1 with a problem.
// `npm run doctor -- --order 1001`: what happened to an order, from the database and, with `--log FILE`, the shop's log.

const words = { ok: "ok     ", warning: "warning", problem: "PROBLEM" };

const usage = "Usage: npm run doctor [-- --order NUMBER [--log FILE]], where the file - is what is piped in.";

await runCommand(async (config) => {
  const { order, log } = readArguments();
  if (order !== undefined) {
    return withShopDatabase(config, "secrets", (db) => printOrderLife(db, order, log));
  }
  await withShopDatabase(config, "secrets", async (db) => {
    const stored = await readStored(
      db,
      openSecretsKey({ ...config.secretsKey, dataDir: config.dataDir, isMade: false }),
    );
    const parts = checkContext({
      config: withStored(config, stored),
      db,
      log: createLog("silent"),
      now: () => new Date(),
    });
    const { checks, counts } = await runChecks(parts);
    for (const group of checkGroups) {
      console.log(`\n${checkGroupTitles[group]}`);
      for (const check of checks.filter((each) => each.group === group)) console.log(lineOf(check));
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

function lineOf({ state, title, detail, todo, link }: GoLiveCheck): string {
  const where = link ? ` (admin, ${link.label})` : "";
  return `  ${words[state]}  ${title}: ${detail}${todo === null ? "" : `\n           ${todo}${where}`}`;
}
