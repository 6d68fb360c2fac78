import { e164 } from "../../domain/shared/phone.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { thumbnailOf } from "../catalog/pictures/sizes.ts";
import type { ShopContext, ShopInput } from "../context.ts";
import { askForDiscount } from "../discounts/queries.ts";
import { orderNews } from "../orders/open-news.ts";
import { announceOrderPaid, enqueueIssue } from "../outbox/commands.ts";
import { announceRefunded } from "../outbox/order-news.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import type { CheckoutParts } from "./parts.ts";
import { dropReminder } from "./reminders.ts";

/** What checkout, payments and the actions on orders work with: one object, for calls of the API and for jobs. */
export function checkoutParts(
  { config, db, log, now }: ShopInput,
  provider: PaymentProvider,
  { settings, ownerSettings }: Pick<ShopContext, "settings" | "ownerSettings">,
): CheckoutParts {
  return {
    db,
    provider,
    log,
    now,
    betweenRunsMs: config.reconcileEverySeconds * 1_000,
    today: async (tx) => dateIn((await ownerSettings(tx)).timeZone, now()),
    timeZone: async () => (await ownerSettings()).timeZone,
    announce: {
      orderPaid: async (tx, orderId) => {
        const { phoneNumber } = (await ownerSettings(tx)).sms;
        await announceOrderPaid(tx, orderId, phoneNumber === null ? null : e164(phoneNumber));
      },
      cartBought: dropReminder,
      needsAttention: enqueueIssue,
      refunded: announceRefunded,
    },
    news: orderNews(settings),
    settings,
    thumbnail: thumbnailOf,
    askForDiscount: async (ask) =>
      askForDiscount(db, { ...ask, now: now(), timeZone: (await ownerSettings()).timeZone }),
    publicUrl: config.publicUrl,
    reservationSeconds: config.reservationSeconds,
  };
}
