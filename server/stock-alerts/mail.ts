import { eq } from "drizzle-orm";
import * as v from "valibot";
import { unconfirmedDays } from "../../domain/privacy/retention.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { mailPicture } from "../catalog/pictures/sizes.ts";
import { findSellable } from "../catalog/queries.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { isOptedOut, unsubscribeUrl } from "../outbox/optouts.ts";
import type { Db } from "../platform/database/database.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";
import { stockAlerts } from "./tables.ts";

const alertData = v.object({ alertId: uuidSchema });

/** Asks the address to confirm the request. */
export async function enqueueAlertConfirmation(
  tx: Db,
  { alertId, email, askedAt }: { alertId: string; email: string; askedAt: Date },
): Promise<void> {
  await enqueueMessages(tx, [
    {
      kind: "stock_alert_confirm",
      dedupeKey: `stock_alert_confirm:${alertId}:${askedAt.toISOString()}`,
      recipient: email,
      data: { alertId },
    },
  ]);
}

/** Enqueues the e-mails that a product is back in stock. */
export async function enqueueStockAlerts(
  tx: Db,
  alerts: readonly { id: string; email: string }[],
  at: Date,
): Promise<void> {
  await enqueueMessages(
    tx,
    alerts.map(({ id, email }) => ({
      kind: "stock_alert",
      dedupeKey: `stock_alert:${id}:${at.toISOString()}`,
      recipient: email,
      data: { alertId: id },
    })),
  );
}

export const stockAlertsMail = {
  async stock_alert_confirm({ db, now, publicUrl, secret }, message) {
    const alert = await findAlert(db, message.data);
    if (!alert || alert.confirmedAt !== null) return "unneeded";
    const expiresAt = alert.askedAt.getTime() + unconfirmedDays * 24 * 60 * 60 * 1000;
    const product = await findProduct(db, alert.productId);
    if (!product) return "unneeded";
    if (now().getTime() >= expiresAt) return "expired";
    const token = confirmToken(secret, alert.id, alert.askedAt);
    return {
      email: {
        kind: "stock_alert_confirm",
        product: { name: product.name, image: product.imageFile && mailPicture(product.imageFile) },
        confirmUrl: `${publicUrl}/back-in-stock?confirm=${token}`,
      },
      secret: token,
    };
  },
  /** The message may have waited for hours: if the product is sold out again, the alert goes back to waiting. */
  async stock_alert(context, message) {
    const { db, publicUrl } = context;
    const alert = await findAlert(db, message.data);
    if (!alert || (await isOptedOut(db, alert.email, "stock_alert"))) return "unneeded";
    const product = await findProduct(db, alert.productId);
    if (!product || product.free <= 0) {
      await db.update(stockAlerts).set({ notifiedAt: null }).where(eq(stockAlerts.id, alert.id));
      return "unneeded";
    }
    const unsubscribe = unsubscribeUrl(context, alert.email, "stock_alert");
    return {
      email: {
        kind: "stock_alert",
        product: { name: product.name, image: product.imageFile && mailPicture(product.imageFile) },
        priceCents: product.priceCents,
        productUrl: `${publicUrl}/product/${product.slug}`,
        unsubscribeUrl: unsubscribe,
      },
      recipient: alert.email,
      secret: null,
      unsubscribeUrl: unsubscribe,
    };
  },
} satisfies Mail;

async function findAlert(db: Db, data: unknown) {
  const { alertId } = v.parse(alertData, data);
  const [alert] = await db.select().from(stockAlerts).where(eq(stockAlerts.id, alertId));
  return alert ?? null;
}

async function findProduct(db: Db, productId: number) {
  const product = (await findSellable(db, [productId])).get(productId);
  return product?.isPublished ? product : null;
}

const purpose = "stock-alert";

/** The token of the e-mailed link that confirms a request: `<id>.<signature>`. */
function confirmToken(secret: string, alertId: string, askedAt: Date): string {
  const expiresAt = new Date(askedAt.getTime() + unconfirmedDays * 24 * 60 * 60 * 1000);
  return `${alertId}.${signToken(secret, { purpose, subject: alertId, expiresAt })}`;
}

/** The id of the request that a token confirms; null for an invalid or expired token. */
export function alertIdIn(secret: string, token: string, now: Date): string | null {
  const [id = "", ...signature] = token.split(".");
  if (!v.is(uuidSchema, id)) return null;
  return isTokenValid(secret, signature.join("."), { purpose, subject: id, now }) ? id : null;
}
