import { e164 } from "../../domain/shared/phone.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { thumbnailOf } from "../catalog/image-variants.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import { dropReminder } from "../checkout/reminders.ts";
import { askForDiscount } from "../discounts/queries.ts";
import { announceOrderPaid, enqueueIssue } from "../outbox/commands.ts";
import { announceRefunded } from "../outbox/order-news.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import type { ComposeInput } from "./input.ts";
import type { KeptSettings } from "./kept-settings.ts";
import { orderNews } from "./order-news.ts";

/** What checkout, payments and the actions on orders work with: one object, for calls of the API and for jobs. */
export function checkoutParts(
  { config, db, log, now }: ComposeInput,
  provider: PaymentProvider,
  settings: KeptSettings,
): CheckoutParts {
  return {
    db,
    provider,
    log,
    now,
    betweenRunsMs: config.reconcileEverySeconds * 1_000,
    today: async (tx) => dateIn((await settings.owner(tx)).timeZone, now()),
    timeZone: async () => (await settings.owner()).timeZone,
    announce: {
      orderPaid: async (tx, orderId) => {
        const { phoneNumber } = (await settings.owner(tx)).sms;
        await announceOrderPaid(tx, orderId, phoneNumber === null ? null : e164(phoneNumber));
      },
      cartBought: dropReminder,
      needsAttention: enqueueIssue,
      refunded: announceRefunded,
    },
    news: orderNews(settings.shop),
    settings: settings.shop,
    thumbnail: thumbnailOf,
    askForDiscount: async (ask) =>
      askForDiscount(db, { ...ask, now: now(), timeZone: (await settings.owner()).timeZone }),
    publicUrl: config.publicUrl,
    reservationSeconds: config.reservationSeconds,
  };
}
