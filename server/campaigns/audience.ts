import { type SQL, sql } from "drizzle-orm";
import type { CampaignContent, Segment } from "../../domain/campaigns/campaign.ts";
import { customerEmails, customers } from "../customers/tables.ts";
import { subscribers } from "../newsletter/tables.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { emailOptouts } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";

type AudienceChoice = Pick<CampaignContent, "audience" | "segment">;

/** Whether a subscriber has confirmed and not unsubscribed since. */
export const isSubscribed = sql`${subscribers.confirmedAt} is not null and not exists (
  select from ${emailOptouts} where ${emailOptouts.emailHash} = ${subscribers.emailHash} and ${emailOptouts.kind} = 'newsletter')`;

/** SQL `from ... where` that selects the subscribers who get a campaign. Customers must be up to date (`refreshCustomers`). */
export function audienceQuery({ audience, segment }: AudienceChoice, now: Date): SQL {
  if (audience === "subscribers") return sql`from ${subscribers} where ${isSubscribed}`;
  const conditions = audience === "segment" ? segmentConditions(segment, now) : [];
  return sql`from ${subscribers} where ${isSubscribed} and exists (
    select from ${customerEmails} join ${customers} on ${customers.id} = ${customerEmails.customerId}
    where ${customerEmails.email} = lower(${subscribers.email})
      and ${sql.join([sql`${customers.orders} > 0`, ...conditions], sql` and `)})`;
}

function segmentConditions({ boughtOnce, notForWeeks, productId, tag, country }: Segment, now: Date): SQL[] {
  return [
    ...(boughtOnce ? [sql`${customers.orders} = 1`] : []),
    ...(notForWeeks === null
      ? []
      : [
          sql`${customers.lastOrderAt} <= ${now.toISOString()}::timestamptz - make_interval(weeks => ${notForWeeks})`,
        ]),
    ...(tag === null || tag === "" ? [] : [sql`${customers.tags} @> array[${tag}]::text[]`]),
    ...(country === null ? [] : [sql`${customers.country} = ${country}`]),
    ...(productId === null
      ? []
      : [
          sql`exists (select from ${customerEmails} as own
            join ${orders} on lower(${orders.email}) = own.email
            join ${orderLines} on ${orderLines.orderId} = ${orders.id}
            where own.customer_id = ${customers.id} and ${orders.paidAt} is not null and ${orderLines.productId} = ${productId})`,
        ]),
  ];
}

export async function countAudience(db: Db, choice: AudienceChoice, now: Date): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count ${audienceQuery(choice, now)}`,
  );
  return rows[0]?.count ?? 0;
}
