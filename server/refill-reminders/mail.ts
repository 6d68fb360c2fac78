import { buyerName, firstName } from "../../domain/orders/first-name.ts";
import { buyAgainUrl, orderOf } from "../orders/mail.ts";
import type { Mail } from "../outbox/compose.ts";
import { isOptedOut, unsubscribeUrl } from "../outbox/optouts.ts";

export const refillRemindersMail = {
  /** The message may have waited for hours, so the address's opt-out is read again. */
  async refill_reminder(context, message) {
    const order = await orderOf(context.db, message);
    if (order.erasedAt !== null || (await isOptedOut(context.db, order.email, "refill_reminder"))) {
      return "unneeded";
    }
    const unsubscribe = unsubscribeUrl(context, order.email, "refill_reminder");
    return {
      email: {
        kind: "refill_reminder",
        firstName: firstName(buyerName(order)),
        orderNumber: order.number,
        items: order.items.map(({ name, image }) => ({ name, image })),
        againUrl: buyAgainUrl(context, order.id),
        unsubscribeUrl: unsubscribe,
      },
      sender: context.toShopper,
      recipient: order.email,
      secret: null,
      unsubscribeUrl: unsubscribe,
    };
  },
} satisfies Mail;
