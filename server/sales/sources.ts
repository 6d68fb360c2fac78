import { inArray, type SQL, sql } from "drizzle-orm";
import { countedModes, type PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { CustomerMonth, SourceGroup, SourceRow, SourceSums } from "../../domain/sales/sources.ts";
import { customerEmails, customers } from "../customers/tables.ts";
import { discounts, personalCodes } from "../discounts/tables.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { isSale, salesEvents } from "./sales-events.ts";

/** Expressions by which orders `o` are grouped. A link's UTM parameters take precedence over the referrer: the owner chose them. */
const groupExpressions: Record<SourceGroup, SQL> = {
  source: sql`coalesce(o.source ->> 'utmSource', o.source ->> 'referrer')`,
  medium: sql`o.source ->> 'utmMedium'`,
  campaign: sql`o.source ->> 'utmCampaign'`,
  // Thousands of personal codes belong to one discount.
  code: sql`coalesce((select d.code from ${personalCodes} own join ${discounts} d on d.id = own.discount_id
    where own.code = o.discount_code), o.discount_code)`,
};

// Not the key of the sums, because PostgreSQL could not estimate how many orders match its `case`.
const isIn = (mode: PaymentMode) => sql`(o.mode is null or ${inArray(sql`o.mode`, countedModes[mode])})`;

type Selection = { by: SourceGroup; from: Date; before: Date; mode: PaymentMode };

/**
 * The overview's sums and the number of first orders for each group, highest sales first. The customers are those of their last
 * refresh.
 */
export async function readSources(db: Db, { by, from, before, mode }: Selection): Promise<SourceRow[]> {
  const [start, end] = [from, before].map((at) => sql`${at.toISOString()}::timestamptz`) as [SQL, SQL];
  const group = groupExpressions[by];
  const where = isIn(mode);
  const { rows } = await db.execute<Record<keyof SourceSums, string> & { name: string | null }>(sql`
    with sold as (
      select name, sum(orders) as orders, sum(goods_cents) as sales,
        sum(goods_cents + shipping_cents + tax_cents - refunded_cents - charged_back_cents) as net
      from (${salesEvents(start, end, { name: group, where })}) as happened
      group by name
      having bool_or(orders + refunds + chargebacks > 0 or goods_cents + shipping_cents + tax_cents <> 0)
    ), first as (
      select ${group} as name, count(*) as orders, count(*) filter (where c.orders > 1) as again
      from ${orders} o
        join ${customerEmails} e on e.email = lower(o.email)
        join ${customers} c on c.id = e.customer_id and c.first_order_at = o.created_at
      where o.paid_at >= ${start} and o.paid_at < ${end} and ${isSale} and ${where}
      group by 1
    )
    select sold.name, sold.orders, sold.sales as "salesCents", sold.net as "netCents",
      coalesce(first.orders, 0) as "firstOrders", coalesce(first.again, 0) as "boughtAgain"
    from sold left join first on first.name is not distinct from sold.name
    order by sold.sales desc, sold.name`);
  return rows.map(({ name, ...sums }) => ({ name, ...numbers(sums) }));
}

/** The known sources with the most orders in a period. */
export async function readTopSources(
  db: Db,
  { from, before, mode, limit }: Omit<Selection, "by"> & { limit: number },
): Promise<{ name: string; orders: number }[]> {
  const [start, end] = [from, before].map((at) => sql`${at.toISOString()}::timestamptz`) as [SQL, SQL];
  const { rows } = await db.execute<{ name: string; orders: number }>(sql`
    select ${groupExpressions.source} as name, count(*)::int as orders from ${orders} o
    where o.paid_at >= ${start} and o.paid_at < ${end} and ${isSale} and ${isIn(mode)} and ${groupExpressions.source} is not null
    group by 1 order by 2 desc, sum(o.subtotal_cents - o.discount_cents) desc, 1 limit ${limit}`);
  return rows;
}

/** Customers by the month of their first order in the time zone, newest first. All months if `months` is null. */
export async function readCustomerMonths(
  db: Db,
  { timeZone, months }: { timeZone: string; months: number | null },
): Promise<CustomerMonth[]> {
  const { rows } = await db.execute<
    Record<Exclude<keyof CustomerMonth, "month">, string> & { month: string }
  >(sql`
    select to_char(first_order_at at time zone ${timeZone}, 'YYYY-MM') as month, count(*) as customers, sum(orders) as orders,
      count(*) filter (where orders > 1) as "boughtAgain", sum(value_cents) as "valueCents"
    from ${customers} where first_order_at is not null
    group by 1 order by 1 desc limit ${months}`);
  return rows.map(({ month, ...sums }) => ({ month, ...numbers(sums) }));
}

function numbers<Name extends string>(sums: Record<Name, string>): Record<Name, number> {
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Number(sum)])) as Record<
    Name,
    number
  >;
}
