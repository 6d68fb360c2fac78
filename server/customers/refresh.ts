import { sql } from "drizzle-orm";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { ShopContext } from "../context.ts";
import { isCountedIn } from "../orders/mode.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { moreToDo, type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { customerChanges, customerEmails, customerNotes, customerRefresh, customers } from "./tables.ts";

/** Changed addresses per run; a shop that computes its customers for the first time needs many runs. */
const batchSize = 1_000;
/** Key of the advisory lock, the same for every server. */
const lockKey = 7_256_391_061;

export function refreshCustomersTask(ctx: ShopContext): RecurringTask {
  const job = { name: "refresh_customers", lane: "upkeep", priority: 20, everySeconds: 60 } as const;
  return recurring(job, async () => ((await refreshCustomers(ctx)) === batchSize ? moreToDo : undefined));
}

/**
 * Recomputes customers whose orders changed, up to a batch of changes; returns how many changes it processed. Serialized,
 * so that each change is processed with the committed order that caused it.
 */
export async function refreshCustomers({
  db,
  provider: { mode },
}: {
  db: Db;
  provider: { mode: PaymentMode };
}): Promise<number> {
  const isLive = mode === "live";
  const pending = await db.execute(sql`
    select 1 where exists (select 1 from ${customerChanges})
      or not exists (select 1 from ${customerRefresh} where is_live = ${isLive})`);
  if (pending.rowCount === 0) return 0;
  return db.transaction(async (tx) => {
    await lockCustomers(tx);
    await queueAllAddresses(tx, isLive);
    const changes = await tx.execute<{ email: string }>(sql`
      delete from ${customerChanges} where id in (select id from ${customerChanges} order by id limit ${batchSize})
      returning email`);
    if (changes.rows.length > 0)
      await recomputeCustomers(tx, { emails: changes.rows.map(({ email }) => email), isLive });
    return changes.rows.length;
  });
}

/** Serializes recomputing, merging and erasing customers until the transaction ends. */
export async function lockCustomers(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`);
}

/** Queues all addresses on the first run, and when the shop goes live, because test orders no longer count then. */
async function queueAllAddresses(tx: Db, isLive: boolean): Promise<void> {
  const { rowCount } = await tx.execute(sql`
    insert into ${customerRefresh} (id, is_live) values (1, ${isLive})
    on conflict (id) do update set is_live = excluded.is_live where ${customerRefresh}.is_live <> excluded.is_live`);
  if (rowCount === 0) return;
  await tx.execute(sql`
    insert into ${customerChanges} (email)
    select distinct lower(email) from ${orders} where paid_at is not null and erased_at is null`);
}

/**
 * Creates customers for new addresses and recomputes the customers of all `emails`. A customer without orders is kept only
 * if it was imported or has tags or notes. The caller holds the lock.
 */
export async function recomputeCustomers(
  tx: Db,
  { emails, isLive }: { emails: string[]; isLive: boolean },
): Promise<void> {
  const addresses = sql.param([...new Set(emails)]);
  const isCounted = sql`${orders.paidAt} is not null and ${orders.erasedAt} is null and ${isLive ? isCountedIn("live") : sql`true`}`;
  await tx.execute(sql`
    with added as (
      insert into ${customers} (email)
      select distinct lower(${orders.email}) from ${orders}
      where lower(${orders.email}) = any(${addresses}::text[]) and ${isCounted}
        and not exists (select 1 from ${customerEmails} known where known.email = lower(${orders.email}))
      on conflict (email) do nothing
      returning id, email)
    insert into ${customerEmails} (email, customer_id) select email, id from added on conflict do nothing`);
  await tx.execute(sql`
    with due as (select distinct customer_id as id from ${customerEmails} where email = any(${addresses}::text[])),
    theirs as (
      select due.id as customer_id, ${orders}.* from due
      join ${customerEmails} on ${customerEmails.customerId} = due.id
      join ${orders} on lower(${orders.email}) = ${customerEmails.email} and ${isCounted}),
    sums as (
      select customer_id, count(*) as orders,
        sum(payable_cents::bigint - refunded_cents - charged_back_cents) as value_cents, sum(refunded_cents::bigint) as refunded_cents,
        min(created_at) as first_order_at, max(created_at) as last_order_at,
        (array_agg(customer_name order by gift is null desc, created_at desc))[1] as name,
        (array_agg(phone order by gift is null desc, created_at desc) filter (where phone <> ''))[1] as phone,
        (array_agg(shipping ->> 'city' order by gift is null desc, created_at desc))[1] as city,
        (array_agg(shipping ->> 'country' order by gift is null desc, created_at desc))[1] as country,
        left(string_agg(distinct lower(customer_name), ' ') || ' ' || coalesce(string_agg(distinct lower(shipping ->> 'city'), ' '), '')
          || ' ' || coalesce(string_agg(distinct regexp_replace(replace(phone, '(0)', ''), '[^0-9]', '', 'g'), ' '), ''), 2000) as words
      from theirs group by customer_id),
    addresses as (
      select due.id as customer_id, string_agg(${customerEmails.email}, ' ' order by ${customerEmails.email}) as words
      from due join ${customerEmails} on ${customerEmails.customerId} = due.id group by due.id)
    update ${customers} set
      orders = coalesce(sums.orders, 0), value_cents = coalesce(sums.value_cents, 0),
      refunded_cents = coalesce(sums.refunded_cents, 0), first_order_at = sums.first_order_at,
      last_order_at = coalesce(sums.last_order_at, 'epoch'),
      name = coalesce(sums.name, imported ->> 'name', ${customers.name}), phone = coalesce(sums.phone, imported ->> 'phone'),
      city = coalesce(sums.city, imported ->> 'city'), country = coalesce(sums.country, imported ->> 'country'),
      search = concat_ws(' ', coalesce(sums.words, lower(${customers.name})), lower(imported ->> 'name'), lower(imported ->> 'city'),
        regexp_replace(replace(imported ->> 'phone', '(0)', ''), '[^0-9]', '', 'g'), addresses.words)
    from addresses left join sums using (customer_id) where ${customers.id} = addresses.customer_id`);
  await tx.execute(sql`
    delete from ${customers} where orders = 0 and tags = '{}' and imported is null
      and id in (select customer_id from ${customerEmails} where email = any(${addresses}::text[]))
      and not exists (select 1 from ${customerNotes} where ${customerNotes.customerId} = ${customers.id})`);
}
