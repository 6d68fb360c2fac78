import { accessCodeLength } from "../domain/admin/admin.ts";
import { makeAccessCode, setAccessCode } from "../server/admin/access.ts";
import { recordActivity } from "../server/admin/activity.ts";
import { notifyOwners } from "../server/outbox/owner-mail.ts";
import type { Config } from "../server/platform/config.ts";
import { StartProblem } from "../server/platform/process/start-problem.ts";
import { runCommand, withShopDatabase } from "./commands/shop-command.ts";
import { readSecretLine } from "./commands/terminal.ts";

// `npm run admin:code`: sets a new access code and ends every session; the shop may be running. The code is read from the
// terminal or a pipe; if it is empty, one is generated.

await runCommand(run);

async function run(config: Config): Promise<void> {
  if (config.adminAccessCode !== null) {
    throw new StartProblem(
      "ADMIN_ACCESS_CODE is set, and it wins over any other code at the next start. Nothing was changed.\n" +
        "Change it where it is set and start the shop again: that ends every session, too. Or take it out, start the shop again, and run this once more.",
    );
  }
  const enteredCode = await readSecretLine("New access code (leave empty to have one made): ");
  if (
    enteredCode !== "" &&
    (enteredCode.length < accessCodeLength.min || enteredCode.length > accessCodeLength.max)
  ) {
    throw new StartProblem(
      `A code has ${accessCodeLength.min} to ${accessCodeLength.max} characters. Nothing was changed.`,
    );
  }
  await withShopDatabase(config, "activity", async (db) => {
    const code = enteredCode || makeAccessCode();
    const endedSessions = await db.transaction(async (tx) => {
      const sessions = await setAccessCode(tx, code);
      await recordActivity(tx, {
        at: new Date(),
        action: "npm run admin:code",
        sessionId: null,
        summary: `Set a new access code and ended every session: ${sessions}`,
        outcome: "done",
      });
      const what = "A new access code was set on the shop’s machine, and every session ended";
      await notifyOwners({ config, now: () => new Date() }, tx, { what, viewer: null });
      return sessions;
    });
    // On a separate line, for programs that search for it.
    console.log(`Admin access code: ${code}`);
    console.log(`Sessions ended: ${endedSessions}. Keep the code somewhere safe: it is not shown again.`);
  });
}
