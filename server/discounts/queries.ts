import { type AnyColumn, and, asc, desc, eq, gt, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { type AdminDiscount, maxAutomaticDiscounts } from "../../domain/discounts/discount-form.ts";
import type {
  AutomaticDiscount,
  DiscountLookup,
  DiscountTerms,
} from "../../domain/discounts/discount-terms.ts";
import { pick } from "../../domain/shared/pick.ts";
import { products } from "../catalog/tables.ts";
import { orders, orderVisitors } from "../orders/tables.ts";
import type { BaseContext } from "../platform/base-context.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage } from "../platform/http/params.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { ownerTimeZone, type WithOwnerSettings } from "../settings/today.ts";
import { discounts, discountUses, personalCodes } from "./tables.ts";

const columnsWith = (condition: SQL) => ({
  discount: discounts,
  productNames: sql<
    string[]
  >`coalesce((select json_agg(${products.name} order by ${products.id}) from ${products}
    where ${products.id} = any(${discounts.productIds}) and ${condition}), '[]')`,
});
const columns = columnsWith(sql`true`);
/** Shoppers do not see a product's name before it is published. */
const shoppersColumns = columnsWith(eq(products.published, true));
type Row = { discount: typeof discounts.$inferSelect; productNames: string[] };

/**
 * A requested code with its terms and uses, for shoppers. `id` is null if there is no such active code. A personal code has the
 * terms of its discount, and is used up by one order.
 */
export async function lookUpDiscount(
  ctx: WithOwnerSettings & Pick<BaseContext, "db" | "now">,
  { code, visitorId }: { code: string; visitorId: VisitorId | null },
): Promise<DiscountLookup & { id: number | null; personalCode: string | null }> {
  const { db } = ctx;
  const now = ctx.now();
  const timeZone = await ownerTimeZone(ctx);
  // The new order supersedes unpaid orders of this browser, which then release their uses.
  const ownUses = visitorId === null ? sql`0` : sql`(${ownUnpaidUses(db, visitorId)})`;
  const [row] = await db
    .select({
      ...shoppersColumns,
      ownUnpaid: sql<number>`${ownUses}`.mapWith(Number),
      personalCode: personalCodes.code,
      isSpent: sql<boolean>`${personalCodes.orderId} is not null and not ${isOwnReplaceable(personalCodes.orderId, visitorId)}`,
    })
    .from(discounts)
    .leftJoin(
      personalCodes,
      and(eq(personalCodes.code, upper(code)), eq(personalCodes.discountId, discounts.id)),
    )
    .where(and(belongsTo(code), eq(discounts.active, true), eq(discounts.automatic, false)));
  if (!row) return { id: null, personalCode: null, terms: null, used: 0, now, timeZone };
  const { discount, personalCode, isSpent, ownUnpaid } = row;
  const terms = { ...discountTerms(row), ...(personalCode && { code: personalCode }) };
  const shared = { id: discount.id, personalCode, now, timeZone };
  return personalCode && isSpent
    ? { ...shared, terms: { ...terms, limitTotal: 1 }, used: 1 }
    : { ...shared, terms, used: discount.used - ownUnpaid };
}

export type RunningAutomaticDiscount = AutomaticDiscount &
  Pick<DiscountTerms, "limitPerCustomer" | "firstOrderOnly"> & { id: number };

/** Whether there may be an automatic discount; cached, so that pricing needs no query in shops without one. */
export function openAutomaticSwitch({ db, changes }: Pick<BaseContext, "db" | "changes">) {
  return changes.cached(["discounts"], async () => (await db.$count(discounts, isActiveAutomatic)) > 0);
}

/** Discounts that apply without a code, or will from their first day. */
const isActiveAutomatic = and(eq(discounts.automatic, true), eq(discounts.active, true));

/** Whether the maximum number of automatic discounts is reached. Concurrent callers wait until the first one has committed. */
export async function isAutomaticFull(tx: Db, exceptId: number | null): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('automatic discounts', 0))`);
  const isOther = exceptId === null ? undefined : ne(discounts.id, exceptId);
  return (await tx.$count(discounts, and(isActiveAutomatic, isOther))) >= maxAutomaticDiscounts;
}

/**
 * The automatic discounts that run now and are not used up, the earliest first. `ctx.hasAutomaticDiscounts` is false for most
 * shops, which then need no query; other shops query the terms for each price.
 */
export async function listRunningAutomaticDiscounts(
  ctx: Pick<BaseContext, "db" | "now"> & { hasAutomaticDiscounts(): Promise<boolean> },
  { visitorId }: { visitorId: VisitorId | null },
): Promise<RunningAutomaticDiscount[]> {
  if (!(await ctx.hasAutomaticDiscounts())) return [];
  const { db } = ctx;
  const ownUses = visitorId === null ? sql`0` : sql`(${ownUnpaidUses(db, visitorId)})`;
  const now = ctx.now();
  const { id, code, kind, value, productIds, minimumUnits, limitPerCustomer, firstOrderOnly } = discounts;
  const limits = { limitPerCustomer, firstOrderOnly };
  const conditions = { productIds, minimumSubtotal: discounts.minimumSubtotalCents, minimumUnits };
  return db
    .select({ id, code, kind, value, ...conditions, ...limits })
    .from(discounts)
    .where(
      and(
        isActiveAutomatic,
        or(isNull(discounts.startsAt), lte(discounts.startsAt, now)),
        or(isNull(discounts.endsAt), gt(discounts.endsAt, now)),
        or(isNull(discounts.limitTotal), sql`${discounts.used} - ${ownUses} < ${discounts.limitTotal}`),
      ),
    )
    .orderBy(asc(discounts.id));
}

/** All codes, newest first; `cursor`: the id of the last one of the previous page. */
export async function listDiscounts(
  db: Db,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ discounts: AdminDiscount[]; nextCursor: string | null }> {
  const rows = await db
    .select(columns)
    .from(discounts)
    .where(cursor === null ? undefined : lt(discounts.id, cursor))
    .orderBy(desc(discounts.id))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows.map(toAdminDiscount), limit, ({ id }) => String(id));
  return { discounts: page, nextCursor };
}

export async function findDiscount(db: Db, id: number): Promise<AdminDiscount | null> {
  const [row] = await db.select(columns).from(discounts).where(eq(discounts.id, id));
  return row ? toAdminDiscount(row) : null;
}

/** Ignores case. */
export async function findDiscountByCode(db: Db, code: string): Promise<AdminDiscount | null> {
  const [row] = await db.select(columns).from(discounts).where(hasCode(code));
  return row ? toAdminDiscount(row) : null;
}

/** Whether a discount other than `exceptId` has this code. */
export async function isCodeTaken(db: Db, code: string, exceptId: number | null): Promise<boolean> {
  const isOther = exceptId === null ? undefined : ne(discounts.id, exceptId);
  const [row] = await db
    .select({ id: discounts.id })
    .from(discounts)
    .where(and(hasCode(code), isOther));
  return row !== undefined;
}

/** Ignores case. */
function hasCode(code: string): SQL {
  return eq(sql`upper(${discounts.code})`, upper(code));
}

const upper = (code: string) => sql`upper(${code}::text)`;

/** Whether the discount has this code, or is that of a personal code. */
export function belongsTo(code: string): SQL {
  return sql`${discounts.id} = coalesce(
    (select id from discounts where upper(code) = ${upper(code)}),
    (select discount_id from personal_codes where code = ${upper(code)}))`;
}

/** Whether an order is an unpaid one of this browser, which the next one supersedes in most cases. */
export function isOwnUnpaid(orderId: AnyColumn, visitorId: VisitorId | null, extraCondition = sql``): SQL {
  return sql`exists (select from ${orders} where ${orders.id} = ${orderId}
    and ${orders.visitorId} = ${visitorId} and ${orders.status} = 'pending'${extraCondition})`;
}

/** Whether the browser's next order takes over this unpaid order's personal code. Orders placed by programs keep it. */
export function isOwnReplaceable(orderId: AnyColumn, visitorId: VisitorId | null): SQL {
  return isOwnUnpaid(orderId, visitorId, sql` and ${orders.reusable}`);
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
  const { id, used, createdAt } = row.discount;
  return { id, ...discountTerms(row), used, createdAt: createdAt.toISOString() };
}

function discountTerms({
  discount: row,
  productNames,
}: Row): Omit<AdminDiscount, "id" | "used" | "createdAt"> {
  return {
    ...pick(
      row,
      "code",
      "automatic",
      "productIds",
      "minimumUnits",
      "kind",
      "value",
      "limitTotal",
      "limitPerCustomer",
      "firstOrderOnly",
      "active",
    ),
    productNames,
    minimumSubtotal: row.minimumSubtotalCents,
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
  };
}
