import { desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import {
  type AutomaticFigures,
  automaticDays,
  automaticKinds,
  type Campaign,
} from "../../domain/campaigns/campaign.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { ShopContext } from "../context.ts";
import { discounts, discountUses, personalCodes } from "../discounts/tables.ts";
import { isCountedIn } from "../orders/mode.ts";
import { orders } from "../orders/tables.ts";
import { noAddressPrefix, returnedPrefix } from "../outbox/settle.ts";
import { emailOptouts, messages } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage } from "../platform/http/params.ts";
import { countAudience } from "./audience.ts";
import { type CampaignCounts, campaignRecipients, campaigns } from "./tables.ts";

/** Orders and opt-outs within this time after an e-mail count as its results. */
const resultsWindow = sql.raw("interval '7 days'");

export async function findCampaign(db: Db, id: number): Promise<typeof campaigns.$inferSelect | null> {
  const [campaign] = await db.select().from(campaigns).where(eq(campaigns.id, id));
  return campaign ?? null;
}

/** Newest first. `cursor`: the id of the last campaign on the previous page. */
export async function listCampaigns(
  ctx: ShopContext,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ data: Campaign[]; nextCursor: string | null }> {
  const rows = await readCampaigns(ctx, cursor === null ? undefined : lt(campaigns.id, cursor), limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => String(id));
  return { data: page, nextCursor };
}

export async function readCampaign(ctx: ShopContext, id: number): Promise<Campaign | null> {
  const [campaign] = await readCampaigns(ctx, eq(campaigns.id, id), 1);
  return campaign ?? null;
}

const zeroCounts = {
  recipients: 0,
  sent: 0,
  bounced: 0,
  complained: 0,
  left: 0,
  failed: 0,
  unknown: 0,
  waiting: 0,
};
const iso = (time: Date | null) => time?.toISOString() ?? null;

async function readCampaigns(ctx: ShopContext, where: SQL | undefined, limit: number): Promise<Campaign[]> {
  const { db } = ctx;
  const now = ctx.now();
  const rows = await db.select().from(campaigns).where(where).orderBy(desc(campaigns.id)).limit(limit);
  const ids = rows.map(({ id }) => id);
  const counts = await countRecipients(db, ids);
  const orderResults = await countOrders(db, ids, ctx.provider.mode, now);
  return Promise.all(
    rows.map(async ({ counts: storedCounts, runId, ...row }) => {
      const isNotStarted = row.startedAt === null;
      const figures = { ...zeroCounts, ...(storedCounts ?? counts.get(row.id)) };
      return {
        ...row,
        ...figures,
        ...(isNotStarted && row.status !== "stopped" && { recipients: await countAudience(db, row, now) }),
        ...(orderResults.get(row.id) ?? { orders: 0, revenue: 0, codesUsed: 0 }),
        createdAt: row.createdAt.toISOString(),
        scheduledAt: iso(row.scheduledAt),
        startedAt: iso(row.startedAt),
        endedAt: iso(row.endedAt),
      };
    }),
  );
}

export async function countRecipients(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CampaignCounts & { waiting: number }>> {
  const statusCount = (status: string) => sql`count(*) filter (where status = ${status})::int`;
  const { rows } = await db.execute<CampaignCounts & { waiting: number; id: string }>(sql`
    select campaign_id as id, count(*)::int as recipients,
      count(*) filter (where status in ('sent', 'complained'))::int as sent,
      ${statusCount("bounced")} as bounced, ${statusCount("complained")} as complained,
      ${statusCount("failed")} as failed, ${statusCount("unknown")} as unknown,
      count(*) filter (where status in ('queued', 'sending'))::int as waiting,
      count(*) filter (where status in ('sent', 'unknown') and ${emailOptouts.reason} = 'unsubscribed'
        and ${emailOptouts.at} between recipient.at and recipient.at + ${resultsWindow})::int as left
    from ${campaignRecipients} as recipient
    left join ${emailOptouts} on ${emailOptouts.emailHash} = recipient.email_hash and ${emailOptouts.kind} = 'newsletter'
    where campaign_id = any(${sql.param(ids)}::bigint[]) group by campaign_id`);
  return new Map(rows.map(({ id, ...counts }) => [Number(id), counts]));
}

type OrderResults = { orders: number; revenue: number; codesUsed: number };
const moneyWhere = (isCounted: SQL) =>
  sql`coalesce(sum(payable_cents::bigint - refunded_cents - charged_back_cents) filter (where ${isCounted}), 0)::float`;

/**
 * Paid orders with the campaign's discount code or its personal ones, from its start until seven days after its end. `codesUsed`
 * counts personal codes of paid orders at any time.
 */
async function countOrders(
  db: Db,
  ids: readonly number[],
  mode: PaymentMode,
  now: Date,
): Promise<ReadonlyMap<number, OrderResults>> {
  const isPaid = sql`${orders.paidAt} is not null and ${mode === "live" ? isCountedIn("live") : sql`true`}`;
  const isResult = sql`${isPaid} and ${orders.createdAt} >= ${campaigns.startedAt}
    and ${orders.createdAt} <= coalesce(${campaigns.endedAt}, ${now.toISOString()}::timestamptz) + ${resultsWindow}`;
  const { rows } = await db.execute<OrderResults & { id: string }>(sql`
    select ${campaigns.id} as id, count(*) filter (where ${isResult})::int as orders,
      ${moneyWhere(isResult)} as revenue, count(used.personal_code) filter (where ${isPaid})::int as "codesUsed"
    from ${campaigns} cross join lateral (
      select ${discountUses.orderId}, null as personal_code from ${discounts}
        join ${discountUses} on ${discountUses.discountId} = ${discounts.id}
      where not ${campaigns.personalCodes} and upper(${discounts.code}) = ${campaigns.code}
        and not exists (select from ${personalCodes} where ${personalCodes.orderId} = ${discountUses.orderId})
      union all
      select ${personalCodes.orderId}, ${personalCodes.code} from ${personalCodes}
      where ${personalCodes.campaignId} = ${campaigns.id} and ${personalCodes.orderId} is not null
    ) as used
    join ${orders} on ${orders.id} = used.order_id
    where ${campaigns.id} = any(${sql.param(ids)}::bigint[])
    group by ${campaigns.id}`);
  return new Map(rows.map(({ id, ...orderResults }) => [Number(id), orderResults]));
}

/** Older rows have the mail server's response without a prefix; 5.1.7 and 5.1.8 are about the sender's address. */
const isBounced = sql`starts_with(last_error, ${noAddressPrefix}) or starts_with(last_error, ${returnedPrefix})
  or last_error ~ '5[0-9]{2}[ -]5[.]1[.](?![78])[0-9]'`;

/**
 * Results of the automatic e-mails of the last days. They have no discount code in common, so an order
 * counts if its address was sent the e-mail within the seven days before.
 */
export async function countAutomatic({ db, now: clock, provider }: ShopContext): Promise<AutomaticFigures[]> {
  const since = sql`${clock().toISOString()}::timestamptz - make_interval(days => ${automaticDays})`;
  const { rows } = await db.execute<Omit<AutomaticFigures, "revenue"> & { revenue: number }>(sql`
    with sent_email as materialized (
      select kind, status, last_error, lower(recipient) as recipient, sent_at from ${messages}
      where ${inArray(messages.kind, automaticKinds)} and created_at > ${since} and channel = 'email' and copy_of is null
    ), earned as (
      select kind, count(*)::int as orders, ${moneyWhere(sql`true`)} as revenue from (
        select distinct sent_email.kind, ${orders.id}, payable_cents, refunded_cents, charged_back_cents
        from sent_email join ${orders} on lower(${orders.email}) = sent_email.recipient
          and ${orders.createdAt} between sent_email.sent_at and sent_email.sent_at + ${resultsWindow}
        where ${orders.paidAt} is not null and ${provider.mode === "live" ? isCountedIn("live") : sql`true`}
      ) as sale group by kind
    )
    select sent_email.kind, count(*)::int as recipients,
      count(*) filter (where status in ('sent', 'kept'))::int as sent,
      count(*) filter (where status = 'failed' and (${isBounced}))::int as bounced,
      (select count(*)::int from ${emailOptouts} where ${emailOptouts.kind} = sent_email.kind
        and ${emailOptouts.reason} = 'unsubscribed' and ${emailOptouts.at} > ${since}) as left,
      coalesce(max(earned.orders), 0)::int as orders, coalesce(max(earned.revenue), 0)::float as revenue
    from sent_email left join earned on earned.kind = sent_email.kind group by sent_email.kind`);
  return automaticKinds.map((kind) => {
    const row = rows.find((candidate) => candidate.kind === kind);
    const figures = row ?? { recipients: 0, sent: 0, bounced: 0, left: 0, orders: 0, revenue: 0 };
    return { ...figures, kind, left: kind === "newsletter_welcome" ? null : figures.left };
  });
}
