import { sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { issues } from "../../issues/tables.ts";
import { ownerTimeZone } from "../../settings/today.ts";
import { paymentEvents } from "../tables.ts";
import { cursorOf } from "./read.ts";

/** An event is given so long to come by the webhook. */
const patienceMs = 15 * 60 * 1000;

/**
 * Raises an issue when no webhook arrives although the provider's list has events of the shop's orders. Events created
 * while the shop was down do not count: the provider delivers them again later. The issue's subject is the last event that
 * the webhook delivered: one issue for each silence. The next delivered event closes it (close-issues.ts).
 */
export async function raiseSilentWebhook(ctx: ShopContext): Promise<void> {
  const { watchedSince } = await cursorOf(ctx);
  if (watchedSince === null) return;
  const isLive = ctx.provider.mode === "live";
  const until = new Date(ctx.now().getTime() - patienceMs);
  const timeZone = await ownerTimeZone(ctx);
  await ctx.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ missed: number; since: string; last: string | null }>(sql`
      with last as (
        select id, delivered_at from ${paymentEvents} where delivered_at is not null and livemode = ${isLive}
        order by delivered_at desc, id desc limit 1)
      select count(*)::int as missed, min(created_at) as since, (select id from last) as last
      from ${paymentEvents} as event
      where delivered_at is null and livemode = ${isLive} and handled_at is not null
        and outcome not in ('foreign', 'ignored')
        and created_at > greatest(${watchedSince.toISOString()}::timestamptz, (select delivered_at from last))
        and created_at < ${until.toISOString()}::timestamptz
      having count(*) > 0 and not exists (
        select from ${issues} where kind = 'webhook_silent' and resolved_at is null)`);
    const [silence] = rows;
    if (!silence) return;
    const events = silence.missed === 1 ? "an event" : `${silence.missed} events`;
    await raiseIssue(tx, {
      kind: "webhook_silent",
      subject: silence.last ?? "never",
      orderId: null,
      message: `The payment provider’s webhook is silent: since ${when(silence.since, timeZone)} it has not brought ${events} of this shop’s orders. The shop read them from the provider’s list, minutes late. See the Go-live check, Webhook`,
    });
  });
}

/** Where the owner is: "Nov 21, 2026, 10:23 PM" */
function when(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone });
  return format.format(new Date(at));
}
