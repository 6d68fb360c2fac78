import { and, asc, eq, lte, sql } from "drizzle-orm";
import { unpaidOrderDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { batchRows, inBatches } from "../platform/database/in-batches.ts";
import { draftsApi } from "./api.ts";
import { draftsMail } from "./mail.ts";
import { payApi } from "./pay.ts";
import { payExchangeApi } from "./pay-exchange.ts";
import { orderDrafts } from "./tables.ts";

/** Draft orders: written by the owner for a buyer, for example on the phone or at a market. */
export const draftsFeature = {
  api: [...draftsApi, ...payApi, ...payExchangeApi],
  mail: draftsMail,
  purges: [purgeDrafts],
  personalData: { lists: { drafts: exportDrafts }, erase: eraseDrafts },
} satisfies Feature;

const isFor = (email: string) => eq(sql`lower(${orderDrafts.email})`, email);

/** Drafts for an address (in lower case). Orders made from them are exported with the orders. */
async function exportDrafts(db: Db, { email }: Person, limit: number) {
  const { email: address, customerName, phone, shipping, items, note, createdAt, sentAt } = orderDrafts;
  return db
    .select({ email: address, customerName, phone, shipping, items, note, createdAt, sentAt })
    .from(orderDrafts)
    .where(isFor(email))
    .orderBy(asc(orderDrafts.createdAt))
    .limit(limit);
}

async function eraseDrafts(tx: Db, { email, until }: PersonToErase): Promise<void> {
  await tx.delete(orderDrafts).where(and(isFor(email), lte(orderDrafts.createdAt, until)));
}

/** Deletes drafts that were not edited for as long as unpaid orders are kept; the orders of paid ones stay. */
async function purgeDrafts({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - unpaidOrderDays * 24 * 60 * 60 * 1000).toISOString();
  await inBatches(async () => {
    const { rowCount } = await db.execute(sql`delete from ${orderDrafts} where id in (
      select id from ${orderDrafts} where changed_at < ${before}::timestamptz limit ${batchRows} for update skip locked)`);
    return rowCount ?? 0;
  });
}
