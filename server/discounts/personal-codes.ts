import { randomInt } from "node:crypto";
import { and, inArray, isNull, lt, sql } from "drizzle-orm";
import { personalCodeDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { discounts, personalCodes } from "./tables.ts";

/** Without characters that look alike: 10 of them are 50 bits, so that a code cannot be guessed. */
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

export function randomCode(): string {
  const part = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `${part()}-${part()}`;
}

/**
 * The recipient's code of the discount, made by the first call. Null: the discount was deleted, switched off or used up, or has
 * ended.
 */
export async function givePersonalCode(
  tx: Db,
  of: { discountId: number; campaignId: number; recipientId: number; now: Date },
): Promise<string | null> {
  const { rows } = await tx.execute<{ code: string }>(sql`
    insert into ${personalCodes} (code, discount_id, campaign_id, recipient_id)
    select ${randomCode()}, id, ${of.campaignId}::bigint, ${of.recipientId}::bigint from ${discounts}
    where id = ${of.discountId} and active and (ends_at is null or ends_at > ${of.now.toISOString()}::timestamptz)
      and (limit_total is null or used < limit_total) for key share
    on conflict (recipient_id) do update set recipient_id = excluded.recipient_id returning code`);
  return rows[0]?.code ?? null;
}

/**
 * No order uses the code. That of a paid order whose use was released, by a refund before it shipped, stays: the report of
 * sources finds the discount by it.
 */
const isUnused = and(
  isNull(personalCodes.orderId),
  sql`not exists (select from ${orders} where ${orders.discountCode} = ${personalCodes.code} and ${orders.paidAt} is not null)`,
);

/** Invalidates the code; a code that an order uses only loses its link to the recipient. */
export async function forgetPersonalCodes(tx: Db, recipientIds: number[]): Promise<void> {
  const isTheirs = inArray(personalCodes.recipientId, recipientIds);
  await tx.delete(personalCodes).where(and(isTheirs, isUnused));
  await tx.update(personalCodes).set({ recipientId: null }).where(isTheirs);
}

/** Deletes unused codes of discounts that ended long ago. */
export async function purgePersonalCodes({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - personalCodeDays * 24 * 60 * 60 * 1000);
  const ended = db.select({ id: discounts.id }).from(discounts).where(lt(discounts.endsAt, before));
  await deleteInBatches(db, personalCodes, and(isUnused, inArray(personalCodes.discountId, ended)));
}
