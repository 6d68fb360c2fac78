import { and, desc, eq, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { AdminDiscount } from "../../domain/discount-form.ts";
import type { AskedDiscount, DiscountTerms } from "../../domain/discount-terms.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { discounts, discountUses } from "./tables.ts";

type Row = typeof discounts.$inferSelect;

/** A shopper's code with what decides whether it applies. `id` is null where there is none that works. */
export async function askForDiscount(
  db: Db,
  ask: { code: string; visitorId: VisitorId | null; now: Date; timeZone: string },
): Promise<AskedDiscount & { id: number | null }> {
  const { now, timeZone, visitorId } = ask;
  // An unpaid order of this very browser gives its use up for the order that is being priced here.
  const others =
    visitorId === null ? undefined : or(ne(orders.status, "pending"), ne(orders.visitorId, visitorId));
  const used = db
    .select({ count: sql`count(*)` })
    .from(discountUses)
    .innerJoin(orders, eq(orders.id, discountUses.orderId))
    .where(and(eq(discountUses.discountId, discounts.id), others));
  const [found] = await db
    .select({
      discount: discounts,
      used: sql<number>`case when ${discounts.limitTotal} is null then 0 else (${used}) end`.mapWith(Number),
    })
    .from(discounts)
    .where(and(hasCode(ask.code), eq(discounts.active, true)));
  return found
    ? { id: found.discount.id, terms: termsOf(found.discount), used: found.used, now, timeZone }
    : { id: null, terms: null, used: 0, now, timeZone };
}

/** All codes, newest first; `cursor` is the id of the last one seen. */
export async function listDiscounts(
  db: Db,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ discounts: AdminDiscount[]; nextCursor: string | null }> {
  const rows = await select(db, cursor === null ? undefined : lt(discounts.id, cursor)).limit(limit + 1);
  const page = rows.slice(0, limit).map(shown);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { discounts: page, nextCursor: last ? String(last.id) : null };
}

export async function findDiscount(db: Db, id: number): Promise<AdminDiscount | null> {
  const [row] = await select(db, eq(discounts.id, id));
  return row ? shown(row) : null;
}

/** Whether another discount than `exceptId` has this code. */
export async function isCodeTaken(db: Db, code: string, exceptId: number | null): Promise<boolean> {
  const other = exceptId === null ? undefined : ne(discounts.id, exceptId);
  const [row] = await db
    .select({ id: discounts.id })
    .from(discounts)
    .where(and(hasCode(code), other));
  return row !== undefined;
}

/** Case does not matter. */
export function hasCode(code: string): SQL {
  return eq(sql`upper(${discounts.code})`, code.toUpperCase());
}

function select(db: Db, where: SQL | undefined) {
  return db
    .select({
      discount: discounts,
      used: sql<number>`(select count(*) from ${discountUses} where discount_id = ${discounts.id})`.mapWith(
        Number,
      ),
    })
    .from(discounts)
    .where(where)
    .orderBy(desc(discounts.id));
}

function shown({ discount, used }: { discount: Row; used: number }): AdminDiscount {
  return { id: discount.id, ...termsOf(discount), used, createdAt: discount.createdAt.toISOString() };
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
    active: row.active,
  };
}
