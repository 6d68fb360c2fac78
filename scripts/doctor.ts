import { sql } from "drizzle-orm";
import { checkGroups, checkGroupTitles, countsSentence, type GoLiveCheck } from "../domain/go-live.ts";
import { doctorParts } from "../server/doctor/open.ts";
import { examine } from "../server/doctor/report.ts";
import { type Config, parseConfig } from "../server/platform/config.ts";
import { readEnvironment } from "../server/platform/environment.ts";
import { createLog } from "../server/platform/log.ts";
import { openShopDatabase } from "../server/platform/shop-database.ts";
import { StartProblem } from "../server/platform/start-problem.ts";

// `npm run doctor`: the go-live check of the admin panel, whether the shop runs or not. Exit code 1 with a problem.

const words = { ok: "ok     ", warning: "warning", problem: "PROBLEM" };

const parsed = parseConfig(readEnvironment(process.env));
if (parsed.ok) {
  try {
    await run(parsed.config);
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
} else {
  for (const problem of parsed.problems) console.error(problem);
  process.exitCode = 1;
}

async function run(config: Config): Promise<void> {
  const log = createLog("silent");
  const shop = await openShopDatabase(config, log);
  try {
    const { rows } = await shop.db.execute<{ table: string | null }>(
      sql`select to_regclass('discounts')::text as "table"`,
    );
    if (!rows[0]?.table)
      throw new StartProblem("Start this version of the shop once: its database is not ready.");
    const { checks, counts } = await examine(
      doctorParts({ config, db: shop.db, log, now: () => new Date() }),
    );
    for (const group of checkGroups) {
      console.log(`\n${checkGroupTitles[group]}`);
      for (const check of checks.filter((each) => each.group === group)) console.log(lineOf(check));
    }
    console.log(`\n${countsSentence(counts)}`);
    if (counts.problem > 0) process.exitCode = 1;
  } finally {
    await shop.close();
  }
}

function lineOf({ state, title, detail, todo, link }: GoLiveCheck): string {
  const where = link ? ` (admin, ${link.label})` : "";
  return `  ${words[state]}  ${title}: ${detail}${todo === null ? "" : `\n           ${todo}${where}`}`;
}
