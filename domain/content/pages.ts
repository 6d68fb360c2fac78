import type { FactName, PartName } from "./placeholders.ts";

/** Editable texts. Their defaults are in `content/<key>.md`. */
export const contentKeys = [
  "story",
  "benefits",
  "how-to-use",
  "faq",
  "questions",
  "shipping-policy",
  "returns-policy",
  "privacy",
  "terms",
] as const;
export type ContentKey = (typeof contentKeys)[number];

type ContentPage = {
  name: string;
  path: string;
  /** `page`: sections side by side; `policy`: one column; `faq`: headings are questions. */
  kind: "page" | "policy" | "faq";
  /** Placeholder -> the law that requires it. */
  needed?: Partial<Record<FactName | PartName, string>>;
};

const imprintReason = "The law requires sellers to say who they are and how to reach them.";
const recipientReason = "Privacy law requires you to say who else gets the data.";
const retentionReason = "Privacy law requires you to say how long data is kept.";

export const contentPages: Record<ContentKey, ContentPage> = {
  story: { name: "Our Story", path: "/story", kind: "page" },
  benefits: { name: "Benefits", path: "/benefits", kind: "page" },
  "how-to-use": { name: "How to use", path: "/how-to-use", kind: "page" },
  faq: { name: "Questions on the contact page", path: "/contact", kind: "faq" },
  questions: { name: "FAQ", path: "/faq", kind: "page" },
  "shipping-policy": {
    name: "Shipping policy",
    path: "/shipping-policy",
    kind: "policy",
    needed: { deliveryTable: "The law requires delivery times and prices before the purchase." },
  },
  "returns-policy": {
    name: "Returns policy",
    path: "/returns-policy",
    kind: "policy",
    needed: {
      returnsRule: "Buyers must find how long and in what condition they may send something back.",
      withdrawalDays:
        "The law requires you to tell buyers in the EU, the EEA and the UK of their right of withdrawal.",
    },
  },
  privacy: {
    name: "Privacy policy",
    path: "/privacy",
    kind: "policy",
    needed: {
      brand: imprintReason,
      contactWays: imprintReason,
      paymentSentence: recipientReason,
      addressLookupSentence: recipientReason,
      liveRatesSentence: recipientReason,
      visitorCookieDays: retentionReason,
      cartDays: retentionReason,
      unpaidOrderDays: retentionReason,
      answeredMessageYears: retentionReason,
      importedCustomerYears: retentionReason,
      sentMailYears: retentionReason,
      unsubscribedDays: retentionReason,
      stockAlertDays: retentionReason,
      leftCartDays: retentionReason,
      declinedCardDays: retentionReason,
      disputeWindowDays: retentionReason,
    },
  },
  terms: {
    name: "Terms of sale",
    path: "/terms",
    kind: "policy",
    needed: {
      brand: imprintReason,
      contactWays: imprintReason,
      paymentSentence: "The law requires you to name the ways to pay.",
    },
  },
};
