import type { FactName, PartName } from "./placeholders.ts";

/** The texts that the owner may edit. Their shipped words are in `content/<key>.md`. */
export const contentKeys = [
  "story",
  "benefits",
  "how-to-use",
  "faq",
  "shipping-policy",
  "returns-policy",
  "privacy",
  "terms",
] as const;
export type ContentKey = (typeof contentKeys)[number];

export type ContentPage = {
  name: string;
  /** Where it is read. */
  path: string;
  /** `page`: sections beside each other; `policy`: one column; `faq`: headings are questions. */
  kind: "page" | "policy" | "faq";
  /** Placeholders that the law wants said there, and what it wants. */
  needed?: Partial<Record<FactName | PartName, string>>;
};

const reach = "The law wants sellers to say who they are and how to reach them.";
const kept = "Privacy law wants the time for which data is kept.";

export const contentPages: Record<ContentKey, ContentPage> = {
  story: { name: "Our Story", path: "/story", kind: "page" },
  benefits: { name: "Benefits", path: "/benefits", kind: "page" },
  "how-to-use": { name: "How to use", path: "/how-to-use", kind: "page" },
  faq: { name: "Questions, answered", path: "/contact", kind: "faq" },
  "shipping-policy": {
    name: "Shipping policy",
    path: "/shipping-policy",
    kind: "policy",
    needed: { deliveryTable: "The law wants delivery times and prices told before the purchase." },
  },
  "returns-policy": {
    name: "Returns policy",
    path: "/returns-policy",
    kind: "policy",
    needed: {
      returnsRule: "Buyers must find how long and in what condition they may send something back.",
      withdrawalDays: "The law wants buyers in the EU, the EEA and the UK told of their right of withdrawal.",
    },
  },
  privacy: {
    name: "Privacy policy",
    path: "/privacy",
    kind: "policy",
    needed: {
      brand: reach,
      contactWays: reach,
      paymentSentence: "Privacy law wants it said who else gets the data.",
      addressLookupSentence: "Privacy law wants it said who else gets the data.",
      visitorCookieDays: kept,
      cartDays: kept,
      unpaidOrderDays: kept,
      answeredMessageYears: kept,
      sentMailYears: kept,
      unsubscribedDays: kept,
      stockAlertDays: kept,
      leftCartDays: kept,
      declinedCardDays: kept,
      disputeWindowDays: kept,
    },
  },
  terms: {
    name: "Terms of sale",
    path: "/terms",
    kind: "policy",
    needed: {
      brand: reach,
      contactWays: reach,
      paymentSentence: "The law wants the ways of paying told.",
    },
  },
};
