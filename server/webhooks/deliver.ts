import { and, asc, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { type DeliveryAttempt, retryDays } from "../../domain/webhooks/webhook.ts";
import type { ShopContext } from "../context.ts";
import { raiseIssue } from "../issues/issues.ts";
import type { Db } from "../platform/database/database.ts";
import { addJob, defineJob } from "../platform/jobs/jobs.ts";
import { signingSecrets } from "./secrets.ts";
import { type Sent, send } from "./send.ts";
import { webhookDeliveries, webhooks } from "./tables.ts";

/** Makes the deliveries about one subject to one webhook. The function `queue_webhooks` of the database queues it, too. */
export const deliverWebhooksJob = defineJob({
  name: "deliver_webhooks",
  payload: v.object({ webhookId: uuidSchema, subject: v.string() }),
  lane: "webhooks",
  priority: 0,
  maxAttempts: 25,
});

type Chain = v.InferOutput<typeof deliverWebhooksJob.payload>;

/** Seconds until the next try, by the number of failed ones. */
const pauses = [5, 30, 2 * 60, 10 * 60, 60 * 60];
const laterPause = 6 * 60 * 60;
const retryMs = retryDays * 24 * 60 * 60_000;
/** Tries that the log keeps of one delivery. */
const attemptsKept = 40;
/** Deliveries that one run makes before others have their turn. */
const perRun = 20;

export const switchedOffKind = "webhook_switched_off";

/** Looks for the chain's deliveries, now or later. */
export function queueChain(db: Db, chain: Chain, runAt?: Date): Promise<void> {
  const key = `webhook:${chain.webhookId}:${chain.subject}`;
  return addJob(db, deliverWebhooksJob, chain, { key, ...(runAt && { runAt }) });
}

/**
 * Job: makes the waiting deliveries of a subject in the order of their events. One that fails holds back the later ones. A
 * server that dies between sending and recording sends again, with the same id.
 */
export async function deliverWebhooks(ctx: ShopContext, chain: Chain, signal: AbortSignal): Promise<void> {
  for (let made = 0; made < perRun && !signal.aborted; made += 1) {
    const [next] = await ctx.db
      .select({ delivery: webhookDeliveries, url: webhooks.url, tooEarly: sql<boolean>`next_try_at > now()` })
      .from(webhookDeliveries)
      .innerJoin(webhooks, and(eq(webhooks.id, webhookDeliveries.webhookId), webhooks.isActive))
      .where(
        and(
          eq(webhookDeliveries.webhookId, chain.webhookId),
          eq(webhookDeliveries.subject, chain.subject),
          eq(webhookDeliveries.status, "waiting"),
        ),
      )
      .orderBy(asc(webhookDeliveries.seq))
      .limit(1);
    if (!next) return;
    const { delivery, url, tooEarly } = next;
    if (tooEarly) return queueChain(ctx.db, chain, delivery.nextTryAt);
    const startedAt = new Date();
    const secrets = await signingSecrets(ctx, chain.webhookId);
    const sent: Sent = secrets
      ? await send({
          url,
          id: delivery.id,
          body: delivery.body,
          secrets,
          allowsLocal: ctx.config.webhookAllowsLocal,
        })
      : { status: null, error: "This server cannot decrypt the webhook’s secret", answer: "" };
    const retryAt = await record(ctx, { delivery, url, startedAt, sent });
    if (sent.error === null) continue;
    ctx.log.warn(
      { webhookId: chain.webhookId, deliveryId: delivery.id, reason: sent.error },
      "a webhook failed",
    );
    if (retryAt) return queueChain(ctx.db, chain, retryAt);
  }
  return queueChain(ctx.db, chain);
}

type Tried = {
  delivery: typeof webhookDeliveries.$inferSelect;
  url: string;
  startedAt: Date;
  sent: Sent;
};

/** Records a try. Returns when to try again; null: it was delivered, replayed meanwhile, or given up. */
async function record(ctx: ShopContext, { delivery, url, startedAt, sent }: Tried): Promise<Date | null> {
  const { status, error, answer } = sent;
  const attempt: DeliveryAttempt = { at: startedAt.toISOString(), status, error, answer };
  const attempts = [...delivery.attempts, attempt].slice(-attemptsKept);
  const triedSince = delivery.triedSince ?? startedAt;
  const nextTryAt = new Date(Date.now() + (pauses[delivery.tries] ?? laterPause) * 1000);
  const isOver = nextTryAt.getTime() - triedSince.getTime() > retryMs;
  const ended = error === null ? ("delivered" as const) : isOver ? ("failed" as const) : ("waiting" as const);
  return ctx.db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(webhookDeliveries)
      .set({ status: ended, attempts, tries: delivery.tries + 1, triedSince, nextTryAt })
      // Unless it was replayed or given up during the try.
      .where(
        and(
          eq(webhookDeliveries.seq, delivery.seq),
          eq(webhookDeliveries.status, "waiting"),
          eq(webhookDeliveries.tries, delivery.tries),
        ),
      );
    if (rowCount === 0) return null;
    if (ended === "failed") await switchOff(ctx, tx, { webhookId: delivery.webhookId, url, error });
    return ended === "waiting" ? nextTryAt : null;
  });
}

/** Nothing more is kept for a webhook that has failed for days, and the owner has to decide. */
async function switchOff(
  { now }: Pick<ShopContext, "now">,
  tx: Db,
  { webhookId, url, error }: { webhookId: string; url: string; error: string | null },
): Promise<void> {
  const switchedOffAt = now();
  await tx.update(webhooks).set({ isActive: false, switchedOffAt }).where(eq(webhooks.id, webhookId));
  await giveUpWaiting(tx, webhookId);
  await raiseIssue(tx, {
    kind: switchedOffKind,
    subject: `${webhookId} at ${switchedOffAt.toISOString()}`,
    orderId: null,
    message: `The webhook to ${new URL(url).host} failed for ${retryDays} days and was switched off. Its last answer: ${error}. It is told of nothing until it is switched on again under Keys, Webhooks`,
    path: `/settings/keys/webhooks/${webhookId}`,
  });
}

/** Ends what waits for an inactive webhook; each can be replayed once it is active. */
export async function giveUpWaiting(tx: Db, webhookId: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ status: "failed" })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.status, "waiting")));
}
