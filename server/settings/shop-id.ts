import type { Db } from "../platform/database.ts";
import { installation } from "./tables.ts";

/** What tells this shop from another one at the same payment provider. Made with the database, and never changed. */
export async function readShopId(db: Db): Promise<string> {
  const [row] = await db.select({ shopId: installation.shopId }).from(installation);
  if (!row) throw new Error("The table installation has no row");
  return row.shopId;
}
