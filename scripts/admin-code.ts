import { sql } from "drizzle-orm";
import { makeAccessCode, setAccessCode } from "../server/admin/access.ts";
import { recordActivity } from "../server/admin/activity.ts";
import { type Config, parseConfig } from "../server/platform/config.ts";
import { readEnvironment } from "../server/platform/environment.ts";
import { createLog } from "../server/platform/log.ts";
import { openShopDatabase } from "../server/platform/shop-database.ts";
import { StartProblem } from "../server/platform/start-problem.ts";
import { readSecretLine } from "./read-secret-line.ts";

// `npm run admin:code`: sets a new access code and ends every session, whether the shop runs or not. The code is typed
// in, piped in, or made when nothing is.

const codeLength = { min: 8, max: 200 };

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
  if (config.adminAccessCode !== null) {
    throw new StartProblem(
      "ADMIN_ACCESS_CODE is set, and it wins over any other code at the next start. Nothing was changed.\n" +
        "Change it where it is set and start the shop again: that ends every session, too. Or take it out, start the shop again, and run this once more.",
    );
  }
  const typed = await readSecretLine("New access code (leave empty to have one made): ");
  if (typed !== "" && (typed.length < codeLength.min || typed.length > codeLength.max)) {
    throw new StartProblem(
      `A code has ${codeLength.min} to ${codeLength.max} characters. Nothing was changed.`,
    );
  }
  const shop = await openShopDatabase(config, createLog("silent"));
  try {
    const { rows } = await shop.db.execute<{ table: string | null }>(
      sql`select to_regclass('activity')::text as "table"`,
    );
    if (!rows[0]?.table) throw new StartProblem("This database has no shop in it yet: start the shop once.");
    const code = typed || makeAccessCode();
    const ended = await shop.db.transaction(async (tx) => {
      const sessions = await setAccessCode(tx, code);
      await recordActivity(tx, {
        at: new Date(),
        action: "npm run admin:code",
        sessionId: null,
        summary: `Set a new access code and ended every session: ${sessions}`,
        outcome: "done",
      });
      return sessions;
    });
    // Alone on its line, for programs that look for it.
    console.log(`Admin access code: ${code}`);
    console.log(`Sessions ended: ${ended}. Keep the code somewhere safe: it is not shown again.`);
  } finally {
    await shop.close();
  }
}
