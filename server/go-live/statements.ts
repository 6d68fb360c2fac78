import { eq } from "drizzle-orm";
import { keptGroups, type Statement, statementNames } from "../../domain/go-live/go-live.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { storeDefaults } from "../settings/commands.ts";
import { goLiveStatements } from "./tables.ts";

/** When the owner last confirmed the statement; null if never confirmed. */
export async function findStatementTime(db: Db, about: Statement): Promise<Date | null> {
  const [row] = await db
    .select({ at: goLiveStatements.statedAt })
    .from(goLiveStatements)
    .where(eq(goLiveStatements.about, about));
  return row?.at ?? null;
}

export type ConfirmableCheck = keyof typeof keptGroups | Statement;

function isStatement(check: ConfirmableCheck): check is Statement {
  return statementNames.some((name) => name === check);
}

/** Confirms a check as the owner. Confirming a statement again renews its time. */
export async function confirmCheck(
  { db, now }: Pick<ShopContext, "db" | "now">,
  check: ConfirmableCheck,
): Promise<void> {
  const at = now();
  if (!isStatement(check)) {
    await db.transaction((tx) => storeDefaults(tx, keptGroups[check], at));
    return;
  }
  await db
    .insert(goLiveStatements)
    .values({ about: check, statedAt: at })
    .onConflictDoUpdate({ target: goLiveStatements.about, set: { statedAt: at } });
}
