import { hash, verify } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import type { Logger } from "pino";
import type { Database, Db } from "../platform/database/database.ts";
import { installation } from "./tables.ts";

/**
 * Warns when this server starts with another session secret than the last one on this database: links in e-mails that were
 * sent with the other are refused here. It may have been changed on purpose, so it is no reason not to start.
 */
export async function checkSessionSecret(db: Database, secret: string, log: Logger): Promise<void> {
  const [kept] = await db.select({ secretHash: installation.sessionSecretHash }).from(installation);
  const known = kept?.secretHash ?? null;
  if (known !== null && (await verify(known, secret))) return;
  if (known !== null) {
    log.warn(
      "SESSION_SECRET differs from the one this database was last used with. Links in e-mails sent before no longer work, and several servers of one shop need the same secret.",
    );
  }
  await db
    .update(installation)
    .set({ sessionSecretHash: await hash(secret) })
    .where(eq(installation.id, 1));
}

/** What tells this shop from another one at the same payment provider. Made with the database, and never changed. */
export async function readShopId(db: Db): Promise<string> {
  const [row] = await db.select({ shopId: installation.shopId }).from(installation);
  if (!row) throw new Error("The table installation has no row");
  return row.shopId;
}
