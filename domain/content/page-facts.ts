import type { PaymentProviderName } from "../payments/providers.ts";
import {
  answeredMessageYears,
  cartDays,
  declinedCardDays,
  disputeWindowDays,
  leftCartDays,
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
import {
  dayCount,
  dispatchSentence,
  givingSentence,
  inciName,
  leftOutSentence,
  proceedsSentence,
  returnPostageSentence,
  returnsSentence,
  shelfLife,
  shelfLifeSentence,
  withdrawalDays,
} from "../settings/facts.ts";
import type { ShopSettings } from "../settings/settings.ts";
import { type DeliveryFact, deliveryFacts, leftOutCountriesSentence } from "../shipping/delivery-facts.ts";

/** What the words under content/ name instead of saying it, as it is today. */
export type PageFacts = {
  /** By the names that `<Fact name="…" />` takes; null: there is nothing to say. */
  named: Record<string, string | null>;
  delivery: DeliveryFact[];
  returnDays: number;
  givingPercent: number;
  giving: Giving;
  contact: ShopSettings["contact"];
  certificates: ShopSettings["certificates"];
  isStripe: boolean;
};

const lookupNames = { google: "Google", loqate: "Loqate" };

/** `addressLookup`: who suggests addresses at checkout; null: nobody. */
export function pageFacts(
  settings: ShopSettings,
  giving: Giving,
  provider: PaymentProviderName,
  addressLookup: keyof typeof lookupNames | null,
): PageFacts {
  const { brandName, contact, givingPercent, returns, shipping } = settings;
  return {
    named: {
      brand: brandName,
      dispatchSentence,
      leftOutCountriesSentence: leftOutCountriesSentence(shipping),
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
      withdrawalDays: dayCount(withdrawalDays),
      visitorCookieDays: dayCount(visitorCookieDays),
      cartDays: dayCount(cartDays),
      unpaidOrderDays: dayCount(unpaidOrderDays),
      disputeWindowDays: dayCount(disputeWindowDays),
      leftCartDays: dayCount(leftCartDays),
      unconfirmedDays: dayCount(unconfirmedDays),
      unsubscribedDays: dayCount(unsubscribedDays),
      stockAlertDays: dayCount(stockAlertDays),
      sentStockAlertDays: dayCount(sentStockAlertDays),
      proofLinkHours: count(proofLinkHours, "hour"),
      declinedCardDays: count(declinedCardDays, "day"),
      viewHours: count(viewHours, "hour"),
      answeredMessageYears: count(answeredMessageYears, "year"),
      sentMailYears: count(sentMailYears, "year"),
    },
    delivery: deliveryFacts(shipping),
    returnDays: returns.days,
    givingPercent,
    giving,
    contact,
    certificates: settings.certificates,
    isStripe: provider === "stripe",
  };
}

function count(number: number, unit: string): string {
  return `${number} ${number === 1 ? unit : `${unit}s`}`;
}
