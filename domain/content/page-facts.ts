import { includedTaxSentence } from "../checkout/included-tax.ts";
import type { PaymentProviderName } from "../payments/providers.ts";
import {
  abandonedCartDays,
  answeredMessageYears,
  cartDays,
  declinedCardDays,
  disputeEvidenceDays,
  disputeWindowDays,
  importedCustomerYears,
  proofLinkHours,
  sentMailYears,
  sentStockAlertDays,
  stockAlertDays,
  unconfirmedDays,
  unpaidOrderDays,
  unsubscribedDays,
  viewHours,
  visitorCookieDays,
} from "../privacy/retention.ts";
import type { Giving } from "../sales/giving.ts";
import { type MissionFacts, missionFacts } from "../settings/badges.ts";
import {
  botanicalName,
  dayCount,
  dispatchSentence,
  givingSentence,
  guaranteeSentence,
  inciName,
  leftOutSentence,
  noReturnsSentence,
  proceedsSentence,
  returnPostageSentence,
  returnsSentence,
  shelfLife,
  shelfLifeSentence,
  withdrawalDays,
} from "../settings/facts.ts";
import type { ShopSettings } from "../settings/settings.ts";
import { formatCents } from "../shared/money.ts";
import {
  type DeliveryFact,
  deliveryFacts,
  deliverySentences,
  leftOutCountriesSentence,
} from "../shipping/delivery-facts.ts";
import type { PlaceholderValues, Run } from "./blocks.ts";
import type { FactName } from "./placeholders.ts";

/** Current values of placeholders in texts, and data of the parts that they embed. */
export type PageFacts = PlaceholderValues & ShownFacts;

/** Data that pages need to render embedded parts. */
export type ShownFacts = {
  delivery: DeliveryFact[];
  givingPercent: number;
  giving: Giving;
  mission: MissionFacts;
};

const lookupNames = { google: "Google", loqate: "Loqate" };

/**
 * `addressLookup`: provider of address suggestions at checkout; null if there is none. `priceCents`: price of a bottle; null if
 * none is sold.
 */
export function pageFacts({
  settings,
  giving,
  provider,
  addressLookup,
  priceCents,
}: {
  settings: ShopSettings;
  giving: Giving;
  provider: PaymentProviderName;
  addressLookup: keyof typeof lookupNames | null;
  priceCents: number | null;
}): PageFacts {
  const { brandName, contact, givingPercent, returns, shipping } = settings;
  const isStripe = provider === "stripe";
  const delivery = deliveryFacts(shipping);
  return {
    values: {
      brand: brandName,
      price: priceCents === null ? null : formatCents(priceCents),
      freeShippingFrom: delivery.find(({ freeFrom }) => freeFrom !== null)?.freeFrom ?? null,
      dispatchSentence,
      deliverySentences: deliverySentences(shipping).join(" "),
      leftOutCountriesSentence: leftOutCountriesSentence(shipping),
      includedTaxSentence: includedTaxSentence(settings.tax),
      returnDays: returns.days === 0 ? null : dayCount(returns.days),
      returnsRule:
        returns.days === 0
          ? noReturnsSentence
          : `${returnsSentence(returns)} We refund the full price of the goods. The days count from delivery.`,
      guaranteeSentence: guaranteeSentence(returns),
      contactWays: contactWays(contact),
      paymentSentence: isStripe ? stripeSentence : sandboxSentence,
      botanicalName: [{ text: botanicalName, isLatin: true }],
      shelfLife,
      shelfLifeSentence,
      inci: inciName,
      leftOutSentence,
      proceedsSentence,
      givingShare: `${givingPercent}%`,
      givingSentence: givingSentence(givingPercent),
      returnsSentence: returnsSentence(returns),
      returnPostageSentence: returnPostageSentence(settings),
      addressLookupSentence:
        addressLookup &&
        `While you type your street at checkout, our server asks ${lookupNames[addressLookup]} for addresses that match: it learns what you typed there and your country, nothing else about you.`,
      liveRatesSentence: shipping.zones.some(({ liveRates }) => liveRates)
        ? "Once your address is complete at checkout, our server may ask the service that makes our labels what a package there costs: it learns the address and the weight, not your name."
        : null,
      withdrawalDays: dayCount(withdrawalDays),
      visitorCookieDays: dayCount(visitorCookieDays),
      cartDays: dayCount(cartDays),
      unpaidOrderDays: dayCount(unpaidOrderDays),
      disputeWindowDays: dayCount(disputeWindowDays),
      disputeEvidenceDays: dayCount(disputeEvidenceDays),
      leftCartDays: dayCount(abandonedCartDays),
      unconfirmedDays: dayCount(unconfirmedDays),
      unsubscribedDays: dayCount(unsubscribedDays),
      stockAlertDays: dayCount(stockAlertDays),
      sentStockAlertDays: dayCount(sentStockAlertDays),
      proofLinkHours: countWithUnit(proofLinkHours, "hour"),
      declinedCardDays: dayCount(declinedCardDays),
      viewHours: countWithUnit(viewHours, "hour"),
      answeredMessageYears: countWithUnit(answeredMessageYears, "year"),
      importedCustomerYears: countWithUnit(importedCustomerYears, "year"),
      sentMailYears: countWithUnit(sentMailYears, "year"),
    } satisfies Record<FactName, string | Run[] | null>,
    conditions: {
      giving: givingPercent > 0,
      returns: returns.days > 0,
      noReturns: returns.days === 0,
      realCards: isStripe,
    },
    delivery,
    givingPercent,
    giving,
    mission: missionFacts(settings),
  };
}

function countWithUnit(number: number, unit: string): string {
  return `${number} ${number === 1 ? unit : `${unit}s`}`;
}

const stripeSentence =
  "Stripe handles our payments. Your card number goes straight from your browser to Stripe and never reaches this shop. Along with it, Stripe gets the amount, your name, email and address, and keeps its own records of the payment.";
const sandboxSentence =
  "This shop runs in test mode: payments are simulated, no card is charged, and no payment company is involved.";

/** Contact details that are set; the contact form is always included. */
function contactWays({ email, phone, location }: ShopSettings["contact"]): Run[] {
  const form: Run[] = [
    { text: "through the " },
    { text: "contact form", href: "/contact-simple" },
    { text: "." },
  ];
  const byPhone: Run[] = phone === null ? [] : [{ text: `by phone at ${phone} or ` }];
  const byEmail: Run[] =
    email === null
      ? []
      : [{ text: "at " }, { text: email, href: `mailto:${email}` }, { text: phone === null ? " or " : ", " }];
  return [{ text: `${location === null ? "" : `${location}. `}Reach us ` }, ...byEmail, ...byPhone, ...form];
}
