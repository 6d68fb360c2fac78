import { eq } from "drizzle-orm";
import * as v from "valibot";
import { priceUnits } from "../../domain/catalog/bundles.ts";
import type { MailProduct } from "../../domain/outbox/email.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { mailPicture } from "../catalog/pictures/sizes.ts";
import { findSellableForLines } from "../catalog/queries.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { isOptedOut, unsubscribeUrl } from "../outbox/optouts.ts";
import type { Db } from "../platform/database/database.ts";
import { cartReminders } from "./tables.ts";

const reminderData = v.object({ reminderId: uuidSchema, restore: v.string() });

/** Enqueues the cart reminder that a shopper requested, once per `occasion`. `restore`: the secret of its link. */
export async function enqueueCartReminder(
  tx: Db,
  reminder: { reminderId: string; email: string; occasion: string; restore: string },
): Promise<void> {
  const { reminderId, email, occasion, restore } = reminder;
  const dedupeKey = `cart_reminder:${reminderId}:${occasion}`;
  await enqueueMessages(tx, [
    { kind: "cart_reminder", dedupeKey, recipient: email, data: { reminderId, restore } },
  ]);
}

export const checkoutMail = {
  /** Checks again whether to send the message, which may have waited for hours. */
  async cart_reminder(context, message) {
    const { db, publicUrl } = context;
    const { reminderId, restore } = v.parse(reminderData, message.data);
    const items = await sellableItems(db, reminderId);
    const { recipient } = message;
    if (recipient === null || items.length === 0) return "unneeded";
    if (await isOptedOut(db, recipient, "cart_reminder")) return "unneeded";
    const unsubscribe = unsubscribeUrl(context, recipient, "cart_reminder");
    return {
      email: {
        kind: "cart_reminder",
        items,
        cartUrl: `${publicUrl}/cart?restore=${restore}`,
        unsubscribeUrl: unsubscribe,
      },
      recipient,
      secret: restore,
      unsubscribeUrl: unsubscribe,
    };
  },
} satisfies Mail;

/** Lines of the cart that can be bought now, at current prices; none if the reminder was deleted by a purchase. */
async function sellableItems(
  db: Db,
  reminderId: string,
): Promise<(MailProduct & { quantity: number; totalCents: number })[]> {
  const [reminder] = await db.select().from(cartReminders).where(eq(cartReminders.id, reminderId));
  if (!reminder) return [];
  const sellable = await findSellableForLines(db, reminder.items);
  return reminder.items.flatMap(({ productId, quantity }) => {
    const product = sellable.get(productId);
    if (!product || product.free <= 0) return [];
    const { total: totalCents } = priceUnits(product.priceCents, quantity, product.bundles);
    const image = product.imageFile && mailPicture(product.imageFile);
    return [{ name: product.name, image, quantity, totalCents }];
  });
}
