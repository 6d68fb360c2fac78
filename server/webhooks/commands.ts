import { and, asc, desc, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { webhookDeliveryDays } from "../../domain/privacy/retention.ts";
import {
  type Delivery,
  maxWebhooks,
  testEvent,
  type Webhook,
  type WebhookEvent,
} from "../../domain/webhooks/webhook.ts";
import type { ShopContext } from "../context.ts";
import { closeIssues } from "../issues/issues.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { cutPage } from "../platform/http/params.ts";
import { giveUpWaiting, isActive, queueChain, switchedOffKind } from "./deliver.ts";
import { deleteSecrets, renewSecret } from "./secrets.ts";
import { webhookDeliveries, webhooks } from "./tables.ts";

type WebhookRow = typeof webhooks.$inferSelect;
type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** Drizzle omits the table's name in the select list, where `id` would mean a subquery's column. */
const ownId = sql.raw("webhooks.id");

/** Oldest first. */
export async function listWebhooks(ctx: Pick<ShopContext, "now">, db: Db, id?: string): Promise<Webhook[]> {
  const rows = await db
    .select({
      row: webhooks,
      waiting: sql<number>`(select count(*)::int from ${webhookDeliveries} as d
        where d.webhook_id = ${ownId} and d.status = 'waiting')`,
      lastError: sql<string | null>`(select d.attempts -> -1 ->> 'error' from ${webhookDeliveries} as d
        where d.webhook_id = ${ownId} and d.attempts <> '[]'
        order by d.attempts -> -1 ->> 'at' desc limit 1)`,
    })
    .from(webhooks)
    .where(id === undefined ? undefined : eq(webhooks.id, id))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id));
  return rows.map(({ row, waiting, lastError }) => {
    const { oldSecretUntil } = row;
    const hasOldSecret = oldSecretUntil !== null && ctx.now() < oldSecretUntil;
    return {
      id: row.id,
      url: row.url,
      events: row.events,
      active: row.isActive,
      createdAt: row.createdAt.toISOString(),
      switchedOffAt: row.switchedOffAt?.toISOString() ?? null,
      oldSecretUntil: hasOldSecret ? oldSecretUntil.toISOString() : null,
      waiting,
      lastError,
    };
  });
}

/** Null if there are too many webhooks. */
export async function addWebhook(
  ctx: ShopContext,
  tx: Db,
  { url, events }: { url: string; events: WebhookEvent[] },
): Promise<(Webhook & { secret: string }) | null> {
  // Of two concurrent callers the second counts the first one's webhook.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('webhooks', 0))`);
  if ((await tx.$count(webhooks)) >= maxWebhooks) return null;
  const [row] = await tx
    .insert(webhooks)
    .values({ url, events, createdAt: ctx.now() })
    .returning({ id: webhooks.id });
  if (!row) throw new Error("the insert returned no webhook");
  const { secret } = await renewSecret({ ...ctx, db: tx }, row.id);
  const [view] = await listWebhooks(ctx, tx, row.id);
  if (!view) throw new Error("a webhook was not read");
  return { ...view, secret };
}

export type WebhookChange = {
  url?: string | undefined;
  events?: WebhookEvent[] | undefined;
  active?: boolean | undefined;
  rotateSecret?: true | undefined;
};

/** Null if there is no such webhook. */
export async function changeWebhook(
  ctx: ShopContext,
  tx: Db,
  id: string,
  { url, events, active, rotateSecret }: WebhookChange,
): Promise<{ before: WebhookRow; view: Webhook; secret?: string } | null> {
  const [before] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for("update");
  if (!before) return null;
  const renewal = rotateSecret ? await renewSecret({ ...ctx, db: tx }, id) : null;
  await tx
    .update(webhooks)
    .set({
      url: url ?? before.url,
      events: events ?? before.events,
      isActive: active ?? before.isActive,
      ...(active !== undefined && { switchedOffAt: null }),
      ...(renewal && { oldSecretUntil: renewal.oldUntil }),
    })
    .where(eq(webhooks.id, id));
  if (active === false) await giveUpWaiting(tx, id);
  if (active !== undefined) await closeSwitchedOff(ctx, tx);
  const [view] = await listWebhooks(ctx, tx, id);
  if (!view) throw new Error("a webhook was not read");
  return { before, view, ...(renewal && { secret: renewal.secret }) };
}

/** Deletes a webhook with its log. Null if there is no such webhook. */
export async function removeWebhook(ctx: ShopContext, tx: Db, id: string): Promise<{ url: string } | null> {
  const [webhook] = await tx.delete(webhooks).where(eq(webhooks.id, id)).returning({ url: webhooks.url });
  if (!webhook) return null;
  await deleteSecrets(tx, id);
  await closeSwitchedOff(ctx, tx);
  return webhook;
}

/** Closes issues about webhooks that the owner has since switched on, switched off or removed. */
async function closeSwitchedOff({ now }: ShopContext, tx: Db): Promise<void> {
  const switchedOffWebhooks = await tx
    .select({ id: webhooks.id, at: webhooks.switchedOffAt })
    .from(webhooks)
    .where(isNotNull(webhooks.switchedOffAt));
  await closeIssues(tx, {
    kind: switchedOffKind,
    except: switchedOffWebhooks.map(({ id, at }) => `${id} at ${at?.toISOString()}`),
    resolution: "Automatically: the webhook was changed",
    now: now(),
  });
}

/** Newest first. `cursor`: the id of the previous page's last row. Null if there is no such webhook. */
export async function listDeliveries(
  db: Db,
  webhookId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: Delivery[]; nextCursor: string | null } | null> {
  if ((await db.$count(webhooks, eq(webhooks.id, webhookId))) === 0) return null;
  const before = cursor && sql`(select seq from ${webhookDeliveries} where id = ${cursor})`;
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(eq(webhookDeliveries.webhookId, webhookId), before ? lt(webhookDeliveries.seq, before) : undefined),
    )
    .orderBy(desc(webhookDeliveries.seq))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id);
  return { data: page.map(deliveryView), nextCursor };
}

/** Queues a test, if the webhook is active; otherwise returns null. */
export async function addTest({ now }: ShopContext, tx: Db, webhookId: string): Promise<Delivery | null> {
  if (!(await isActive(tx, webhookId))) return null;
  const body = JSON.stringify({ type: testEvent, timestamp: now().toISOString(), data: { webhookId } });
  // A unique subject, so that the test does not wait for other deliveries.
  const subject = `test:${crypto.randomUUID()}`;
  const [row] = await tx
    .insert(webhookDeliveries)
    .values({ webhookId, type: testEvent, subject, body })
    .returning();
  if (!row) throw new Error("the insert returned no test");
  await queueChain(tx, { webhookId, subject });
  return deliveryView(row);
}

/** Sends a delivery again, with the same id and bytes. */
export async function replay(
  tx: Db,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<Delivery | "inactive" | "unknown"> {
  const isDelivery = and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.webhookId, webhookId));
  if ((await tx.$count(webhookDeliveries, isDelivery)) === 0) return "unknown";
  if (!(await isActive(tx, webhookId))) return "inactive";
  const [delivery] = await tx
    .update(webhookDeliveries)
    .set({ status: "waiting", tries: 0, triedSince: null, nextTryAt: sql`now()` })
    .where(isDelivery)
    .returning();
  if (!delivery) return "unknown";
  await queueChain(tx, { webhookId, subject: delivery.subject });
  return deliveryView(delivery);
}

export async function purgeDeliveries({ db, now }: ShopContext): Promise<void> {
  const until = new Date(now().getTime() - webhookDeliveryDays * 24 * 60 * 60_000);
  const isOld = lt(webhookDeliveries.createdAt, until);
  await deleteInBatches(
    db,
    webhookDeliveries,
    and(isOld, inArray(webhookDeliveries.status, ["delivered", "failed"])),
  );
}

function deliveryView({ id, type, status, attempts, createdAt, nextTryAt, body }: DeliveryRow): Delivery {
  return {
    id,
    type,
    status,
    attempts,
    createdAt: createdAt.toISOString(),
    nextTryAt: status === "waiting" ? nextTryAt.toISOString() : null,
    body,
  };
}
