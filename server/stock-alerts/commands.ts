import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { sentStockAlertDays, stockAlertDays, unconfirmedDays } from "../../domain/privacy/retention.ts";
import type {
  ConfirmedStockAlert,
  StockAlertNextStep,
  StockAlertRequest,
} from "../../domain/stock-alerts/stock-alert.ts";
import { findSellable } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import { orders } from "../orders/tables.ts";
import { mayMailStranger } from "../outbox/mail-caps.ts";
import { hashEmail, isOptedOut, optBackIn } from "../outbox/optouts.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { alertIdIn, enqueueAlertConfirmation } from "./mail.ts";
import { stockAlerts } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** A request repeated within this time is ignored. */
const repeatIgnoredMs = 60_000;

type AskResult =
  | ({ ok: true } & StockAlertNextStep)
  | { ok: false; reason: "unknown" }
  | { ok: false; reason: "in_stock"; name: string };

/**
 * Stores a request for an e-mail when a sold-out product is back, once per address and product. The address confirms it by
 * e-mail, unless this browser has bought with it. Repeating a waiting request changes nothing.
 */
export async function askForAlert(
  { db, now: clock }: ShopContext,
  { productId, email, visitorId }: StockAlertRequest & { visitorId: VisitorId | null },
): Promise<AskResult> {
  const now = clock();
  const product = (await findSellable(db, [productId])).get(productId);
  if (!product?.isPublished) return { ok: false, reason: "unknown" };
  if (product.free > 0) return { ok: false, reason: "in_stock", name: product.name };
  return db.transaction(async (tx) => {
    const emailHash = hashEmail(email);
    // Of two concurrent requests the second waits here and then finds the first.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`alert:${email.toLowerCase()}`}, 0))`,
    );
    const isUnsubscribed = await isOptedOut(tx, email, "stock_alert");
    const isKnownBuyer = !isUnsubscribed && (await hasBought(tx, visitorId, email));
    const response = { next: isKnownBuyer ? "waiting" : "confirm" } as const;
    // Locked, so that a confirmation in progress is not undone below.
    const [earlierAlert] = await tx
      .select()
      .from(stockAlerts)
      .where(and(eq(stockAlerts.emailHash, emailHash), eq(stockAlerts.productId, productId)))
      .for("update");
    if (earlierAlert && isWaiting(earlierAlert) && !isUnsubscribed) return { ok: true, ...response };
    if (earlierAlert && isRepeat(earlierAlert, now) && !isKnownBuyer) return { ok: true, ...response };
    const values = { email, askedAt: now, confirmedAt: isKnownBuyer ? now : null, notifiedAt: null };
    const [alert] = await tx
      .insert(stockAlerts)
      .values({ id: randomUUID(), productId, emailHash, ...values })
      .onConflictDoUpdate({ target: [stockAlerts.emailHash, stockAlerts.productId], set: values })
      .returning({ id: stockAlerts.id });
    if (!alert) throw new Error("a stock alert was written without its id");
    if (!isKnownBuyer && (await mayMailStranger(tx, { kind: "stock_alert_confirm", email, now }))) {
      await enqueueAlertConfirmation(tx, { alertId: alert.id, email, askedAt: now });
    }
    return { ok: true, ...response };
  });
}

const isWaiting = ({ confirmedAt, notifiedAt }: typeof stockAlerts.$inferSelect) =>
  confirmedAt !== null && notifiedAt === null;

const isRepeat = ({ confirmedAt, askedAt }: typeof stockAlerts.$inferSelect, now: Date) =>
  confirmedAt === null && now.getTime() - askedAt.getTime() < repeatIgnoredMs;

/** Whether this browser has paid for an order with the address. */
async function hasBought(tx: Db, visitorId: VisitorId | null, email: string): Promise<boolean> {
  if (visitorId === null) return false;
  const paidOrders = await tx
    .select({ one: sql`1` })
    .from(orders)
    .where(
      and(
        eq(sql`lower(${orders.email})`, email.toLowerCase()),
        eq(orders.visitorId, visitorId),
        isNotNull(orders.paidAt),
        isNull(orders.erasedAt),
      ),
    )
    .limit(1);
  return paidOrders.length > 0;
}

/** Confirms a request by its e-mailed link; may be repeated. Null if the link is invalid, or its request was deleted. */
export async function confirmAlert(
  { db, secret, now: clock }: ShopContext,
  token: string,
): Promise<ConfirmedStockAlert | null> {
  const now = clock();
  const id = alertIdIn(secret, token, now);
  if (id === null) return null;
  return db.transaction(async (tx) => {
    const [alert] = await tx.select().from(stockAlerts).where(eq(stockAlerts.id, id)).for("update");
    if (!alert) return null;
    const product = (await findSellable(tx, [alert.productId])).get(alert.productId);
    if (!product?.isPublished) return null;
    if (alert.confirmedAt === null) {
      await tx.update(stockAlerts).set({ confirmedAt: now }).where(eq(stockAlerts.id, id));
      await optBackIn(tx, alert.emailHash, "stock_alert");
    }
    return { product: { name: product.name, slug: product.slug }, inStock: product.free > 0 };
  });
}

/** The product of an e-mailed link, without confirming the request. Null for an invalid link. */
export async function alertToConfirm(
  { db, secret, now }: ShopContext,
  token: string,
): Promise<ConfirmedStockAlert | null> {
  const id = alertIdIn(secret, token, now());
  if (id === null) return null;
  const [alert] = await db
    .select({ productId: stockAlerts.productId })
    .from(stockAlerts)
    .where(eq(stockAlerts.id, id));
  if (!alert) return null;
  const product = (await findSellable(db, [alert.productId])).get(alert.productId);
  if (!product?.isPublished) return null;
  return { product: { name: product.name, slug: product.slug }, inStock: product.free > 0 };
}

/** Deletes requests that were never confirmed, were answered a while ago, or have waited too long. */
export async function purgeStockAlerts({ db, now: clock }: ShopContext): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * dayMs);
  const { askedAt, confirmedAt, notifiedAt } = stockAlerts;
  await deleteInBatches(
    db,
    stockAlerts,
    or(
      lt(askedAt, before(stockAlertDays)),
      // Implied by the second condition; lets the index on `asked_at` be used.
      and(lt(askedAt, before(sentStockAlertDays)), lt(notifiedAt, before(sentStockAlertDays))),
      and(lt(askedAt, before(unconfirmedDays)), isNull(confirmedAt)),
    ),
  );
}
