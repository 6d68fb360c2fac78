import { and, desc, eq, lt, ne, type SQL, sql } from "drizzle-orm";
import type { AdminDiscount } from "../../domain/discounts/discount-form.ts";
import type { DiscountLookup, DiscountTerms } from "../../domain/discounts/discount-terms.ts";
import { orders, orderVisitors } from "../orders/tables.ts";
import type { BaseContext } from "../platform/base-context.ts";
import type { Db } from "../platform/database/database.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { ownerTimeZone, type WithOwnerSettings } from "../settings/today.ts";
import { discounts, discountUses } from "./tables.ts";

type Row = typeof discounts.$inferSelect;

/** A requested code with its terms and uses. `id` null: there is no such active code. */
export async function lookUpDiscount(
  ctx: WithOwnerSettings & Pick<BaseContext, "db" | "now">,
  { code, visitorId }: { code: string; visitorId: VisitorId | null },
): Promise<DiscountLookup & { id: number | null }> {
  const { db } = ctx;
  const now = ctx.now();
  const timeZone = await ownerTimeZone(ctx);
  // The new order supersedes unpaid orders of this browser, which then release their uses.
  const own = visitorId === null ? sql`0` : sql`(${ownUnpaidUses(db, visitorId)})`;
  const [row] = await db
    .select({ discount: discounts, ownUnpaid: sql<number>`${own}`.mapWith(Number) })
    .from(discounts)
    .where(and(hasCode(code), eq(discounts.active, true)));
  return row
    ? {
        id: row.discount.id,
        terms: termsOf(row.discount),
        used: row.discount.used - row.ownUnpaid,
        now,
        timeZone,
      }
    : { id: null, terms: null, used: 0, now, timeZone };
}

/** All codes, newest first; `cursor`: the id of the last one of the previous page. */
export async function listDiscounts(
  db: Db,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ discounts: AdminDiscount[]; nextCursor: string | null }> {
  const rows = await db
    .select()
    .from(discounts)
    .where(cursor === null ? undefined : lt(discounts.id, cursor))
    .orderBy(desc(discounts.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit).map(toAdminDiscount);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { discounts: page, nextCursor: last ? String(last.id) : null };
}

export async function findDiscount(db: Db, id: number): Promise<AdminDiscount | null> {
  const [row] = await db.select().from(discounts).where(eq(discounts.id, id));
  return row ? toAdminDiscount(row) : null;
}

/** Ignores case. */
export async function findDiscountByCode(db: Db, code: string): Promise<AdminDiscount | null> {
  const [row] = await db.select().from(discounts).where(hasCode(code));
  return row ? toAdminDiscount(row) : null;
}

/** Whether a discount other than `exceptId` has this code. */
export async function isCodeTaken(db: Db, code: string, exceptId: number | null): Promise<boolean> {
  const other = exceptId === null ? undefined : ne(discounts.id, exceptId);
  const [row] = await db
    .select({ id: discounts.id })
    .from(discounts)
    .where(and(hasCode(code), other));
  return row !== undefined;
}

/** Ignores case. */
export function hasCode(code: string): SQL {
  return eq(sql`upper(${discounts.code})`, code.toUpperCase());
}

/** Uses of a discount by unpaid orders of a browser. */
function ownUnpaidUses(db: Db, visitorId: VisitorId) {
  return db
    .select({ count: sql`count(*)` })
    .from(orderVisitors)
    .innerJoin(orders, eq(orders.id, orderVisitors.orderId))
    .innerJoin(discountUses, eq(discountUses.orderId, orders.id))
    .where(
      and(
        eq(orderVisitors.visitorId, visitorId),
        eq(orders.visitorId, visitorId),
        eq(orders.status, "pending"),
        eq(discountUses.discountId, discounts.id),
      ),
    );
}

function toAdminDiscount(row: Row): AdminDiscount {
  return { id: row.id, ...termsOf(row), used: row.used, createdAt: row.createdAt.toISOString() };
}

function termsOf(row: Row): DiscountTerms {
  return {
    code: row.code,
    kind: row.kind,
    value: row.value,
    minimumSubtotal: row.minimumSubtotalCents,
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    limitTotal: row.limitTotal,
    limitPerCustomer: row.limitPerCustomer,
    firstOrderOnly: row.firstOrderOnly,
    active: row.active,
  };
}
