import { and, asc, eq, not, sql } from "drizzle-orm";
import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { type DeliveryAttempt, retryDays } from "../../domain/webhooks/webhook.ts";
import type { ShopContext } from "../context.ts";
import { raiseIssue } from "../issues/issues.ts";
import type { Db } from "../platform/database/database.ts";
import { connectionCause, requestExternal } from "../platform/http/public-lookup.ts";
import { addJob, defineJob } from "../platform/jobs/jobs.ts";
import { signingSecrets } from "./secrets.ts";
import { webhookDeliveries, webhooks } from "./tables.ts";
import { isLocal, webhookUrlProblem } from "./webhook-url.ts";

/** Makes the deliveries about one subject to one webhook. The function `queue_webhooks` of the database queues it, too. */
export const deliverWebhooksJob = defineJob({
  name: "deliver_webhooks",
  payload: v.object({ webhookId: uuidSchema, subject: v.string() }),
  lane: "webhooks",
  priority: 0,
  maxAttempts: 25,
});

type Chain = v.InferOutput<typeof deliverWebhooksJob.payload>;

/** Seconds until the next attempt, by the number of failed attempts; after more attempts `lastRetryPauseS`. */
const retryPausesS = [5, 30, 2 * 60, 10 * 60, 60 * 60];
const lastRetryPauseS = 6 * 60 * 60;
const retryMs = retryDays * 24 * 60 * 60_000;
/** Uses the database's clock, as jobs do. A time after the longest pause was stored while that clock was ahead. */
const isTooEarly = sql`(next_try_at > now() and next_try_at <= now() + make_interval(secs => ${lastRetryPauseS}))`;
/** Maximum number of attempts that the log keeps for a delivery. */
const maxAttempts = 40;
/** Deliveries of one run, after which other jobs have their turn. */
const deliveriesPerRun = 20;

export const switchedOffKind = "webhook_switched_off";

/** Queues the job that makes the chain's deliveries, now or at `runAt`. */
export function queueChain(db: Db, chain: Chain, runAt?: Date): Promise<void> {
  const key = `webhook:${chain.webhookId}:${chain.subject}`;
  return addJob(db, deliverWebhooksJob, chain, { key, ...(runAt && { runAt }) });
}

/**
 * Job: makes the waiting deliveries of a subject in the order of their events. A failed one holds back the later ones. After a
 * crash between sending and recording, the delivery is sent again, with the same id.
 */
export async function deliverWebhooks(ctx: ShopContext, chain: Chain, signal: AbortSignal): Promise<void> {
  for (let deliveryCount = 0; deliveryCount < deliveriesPerRun && !signal.aborted; deliveryCount += 1) {
    const [nextDelivery] = await ctx.db
      .select({
        delivery: webhookDeliveries,
        url: webhooks.url,
        isActive: webhooks.isActive,
        isTooEarly: sql<boolean>`${isTooEarly}`,
      })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .where(
        and(
          eq(webhookDeliveries.webhookId, chain.webhookId),
          eq(webhookDeliveries.subject, chain.subject),
          eq(webhookDeliveries.status, "waiting"),
        ),
      )
      .orderBy(asc(webhookDeliveries.seq))
      .limit(1);
    if (!nextDelivery) return;
    const { delivery, url, isActive } = nextDelivery;
    if (!isActive) return giveUpInactive(ctx.db, chain.webhookId);
    if (nextDelivery.isTooEarly) return queueChain(ctx.db, chain, delivery.nextTryAt);
    if (!(await claim(ctx.db, delivery.seq))) continue;
    const startedAt = new Date();
    const secrets = await signingSecrets(ctx, chain.webhookId);
    const result: SendResult = secrets
      ? await send({
          url,
          id: delivery.id,
          body: delivery.body,
          secrets,
          allowsLocal: ctx.config.webhookAllowsLocal,
        })
      : { status: null, error: "This server cannot decrypt the webhook’s secret", response: "" };
    const retryAt = await record(ctx, { delivery, url, startedAt, result });
    if (result.error === null) continue;
    ctx.log.warn(
      { webhookId: chain.webhookId, deliveryId: delivery.id, reason: result.error },
      "a webhook failed",
    );
    if (retryAt) return queueChain(ctx.db, chain, retryAt);
  }
  return queueChain(ctx.db, chain);
}

/** Keeps other servers from making the delivery in the meantime: a later event of its chain ends the job's lease. */
async function claim(db: Db, seq: number): Promise<boolean> {
  const { rowCount } = await db
    .update(webhookDeliveries)
    .set({ nextTryAt: sql`now() + interval '20 s'` })
    .where(and(eq(webhookDeliveries.seq, seq), eq(webhookDeliveries.status, "waiting"), not(isTooEarly)));
  return rowCount === 1;
}

type Attempt = {
  delivery: typeof webhookDeliveries.$inferSelect;
  url: string;
  startedAt: Date;
  result: SendResult;
};

/** Records an attempt. Returns when to try again; null if it was delivered, replayed in the meantime, or given up. */
async function record(ctx: ShopContext, { delivery, url, startedAt, result }: Attempt): Promise<Date | null> {
  const { status, error, response } = result;
  const attempt: DeliveryAttempt = { at: startedAt.toISOString(), status, error, answer: response };
  const attempts = [...delivery.attempts, attempt].slice(-maxAttempts);
  const pauseS = retryPausesS[delivery.tries] ?? lastRetryPauseS;
  // A time in the future was stored while the clock was ahead, and would prolong the retries.
  const triedSince = delivery.triedSince && delivery.triedSince < startedAt ? delivery.triedSince : startedAt;
  const isExhausted = startedAt.getTime() + pauseS * 1000 - triedSince.getTime() > retryMs;
  const deliveryStatus =
    error === null ? ("delivered" as const) : isExhausted ? ("failed" as const) : ("waiting" as const);
  return ctx.db.transaction(async (tx) => {
    const nextTryAt = sql`now() + make_interval(secs => ${pauseS})`;
    const [row] = await tx
      .update(webhookDeliveries)
      .set({ status: deliveryStatus, attempts, tries: delivery.tries + 1, triedSince, nextTryAt })
      // No row matches if the delivery was replayed or given up during the attempt.
      .where(
        and(
          eq(webhookDeliveries.seq, delivery.seq),
          eq(webhookDeliveries.status, "waiting"),
          eq(webhookDeliveries.tries, delivery.tries),
        ),
      )
      .returning({ nextTryAt: webhookDeliveries.nextTryAt });
    if (!row) return null;
    if (deliveryStatus === "failed") await switchOff(ctx, tx, { webhookId: delivery.webhookId, url, error });
    return deliveryStatus === "waiting" ? row.nextTryAt : null;
  });
}

/** Switches off a webhook that has failed for days: no further events are stored for it until the owner acts. */
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
    message: `The webhook to ${new URL(url).host} failed for ${retryDays} days and was switched off. Its last answer: ${error}. No events are sent to it until you switch it on again under Keys, Webhooks`,
    path: `/settings/keys/webhooks/${webhookId}`,
  });
}

/** Gives up deliveries of events that were written while their webhook was being switched off. */
async function giveUpInactive(db: Db, webhookId: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await isActive(tx, webhookId))) await giveUpWaiting(tx, webhookId);
  });
}

/** Whether a webhook is active; it stays so until the transaction ends. */
export async function isActive(tx: Db, id: string): Promise<boolean> {
  const [row] = await tx
    .select({ isActive: webhooks.isActive })
    .from(webhooks)
    .where(eq(webhooks.id, id))
    .for("key share");
  return row?.isActive ?? false;
}

/** Marks the waiting deliveries of an inactive webhook as failed; each can be replayed once it is active. */
export async function giveUpWaiting(tx: Db, webhookId: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ status: "failed" })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.status, "waiting")));
}

/** Timeout for connecting, sending and the whole response. */
const timeoutMs = 10_000;
/** Length of the beginning of the receiver's response that is stored. */
const maxResponseBytes = 1_000;

type SendResult = { status: number | null; error: string | null; response: string };
type Message = { url: string; id: string; body: string; secrets: readonly string[]; allowsLocal: boolean };

/** Makes one delivery. Errors of the receiver are returned, not thrown. */
async function send({ url, id, body, secrets, allowsLocal }: Message): Promise<SendResult> {
  const problem = webhookUrlProblem(url, allowsLocal);
  if (problem !== null) return { status: null, error: problem, response: "" };
  const at = new Date();
  const { Webhook } = await import("standardwebhooks");
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Palmira",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
  try {
    const { status, response } = await post(new URL(url), {
      headers,
      body,
      isLocalReceiver: allowsLocal && isLocal(url),
    });
    const error =
      status >= 200 && status < 300
        ? null
        : status >= 300 && status < 400
          ? `It answered ${status}: redirects are not followed`
          : `It answered ${status}`;
    return { status, error, response };
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : String(error), response: "" };
  }
}

function post(
  url: URL,
  {
    headers,
    body,
    isLocalReceiver,
  }: { headers: Record<string, string>; body: string; isLocalReceiver: boolean },
) {
  return new Promise<{ status: number; response: string }>((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const fail = (error: Error) => {
      if (signal.aborted) reject(new Error("It did not answer within 10 seconds"));
      else reject(new Error(`It could not be reached: ${connectionCause(error)}`));
    };
    const options = {
      method: "POST",
      headers,
      signal,
      agent: false,
      isTrusted: isLocalReceiver,
      body,
    };
    requestExternal(url, options).then((response) => {
      const parts: Buffer[] = [];
      let size = 0;
      const end = () => {
        const text = Buffer.concat(parts).subarray(0, maxResponseBytes).toString("utf8");
        resolve({ status: response.statusCode ?? 0, response: text.replaceAll("\0", "").toWellFormed() });
      };
      response.on("data", (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size < maxResponseBytes) return;
        end();
        response.destroy();
      });
      response.on("end", end);
      response.on("error", fail);
    }, fail);
  });
}
