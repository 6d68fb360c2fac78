/**
 * Values that texts name in double braces: `{{returnDays}}`. Each is replaced by its current value, so that texts agree with
 * the settings. A released name is never removed, since stored texts contain it.
 */
export const factLabels = {
  brand: "The shop’s name",
  price: "Price of a bottle",
  freeShippingFrom: "Free shipping from",
  dispatchSentence: "When orders ship",
  deliverySentences: "How long each way of shipping takes",
  leftOutCountriesSentence: "Where we don’t ship",
  includedTaxSentence: "Where prices include tax",
  returnDays: "Days to return",
  returnsSentence: "Returns in one sentence",
  returnsRule: "Returns: days, condition, what is refunded",
  guaranteeSentence: "Satisfaction guarantee",
  returnPostageSentence: "Who pays return postage",
  withdrawalDays: "Days of the right of withdrawal",
  contactWays: "How to reach you",
  paymentSentence: "Who handles payments",
  addressLookupSentence: "Who suggests addresses",
  liveRatesSentence: "Who is asked for shipping prices at checkout",
  givingShare: "Share of proceeds donated",
  givingSentence: "What the share goes to",
  proceedsSentence: "What “proceeds” means",
  shelfLife: "Shelf life",
  shelfLifeSentence: "Shelf life in one sentence",
  botanicalName: "Botanical name",
  inci: "INCI name",
  leftOutSentence: "Ingredients it is made without",
  visitorCookieDays: "Kept: the visitor’s cookie",
  cartDays: "Kept: carts",
  unpaidOrderDays: "Kept: buyers of unpaid orders",
  disputeWindowDays: "Kept: data for possible disputes",
  disputeEvidenceDays: "Kept: evidence sent in a dispute",
  leftCartDays: "Kept: reminders of a cart",
  unconfirmedDays: "Kept: unconfirmed sign-ups",
  unsubscribedDays: "Kept: after unsubscribing",
  stockAlertDays: "Kept: back-in-stock alerts",
  sentStockAlertDays: "Kept: sent back-in-stock alerts",
  proofLinkHours: "Kept: links by email",
  declinedCardDays: "Kept: declined cards",
  viewHours: "Kept: page views",
  answeredMessageYears: "Kept: answered messages",
  importedCustomerYears: "Kept: customers of a former shop",
  sentMailYears: "Kept: sent emails",
} as const;
export type FactName = keyof typeof factLabels;

/** Parts that are embedded as a separate paragraph. */
export const partLabels = {
  deliveryTable: "Table of shipping options",
  givingSection: "Section about giving",
  benefitsSection: "Section with the three benefits",
  routinesSection: "Section with the product’s routines",
  fruitPicture: "Picture: palm fruit",
  handPicture: "Picture: the bottle and its box",
  labelPicture: "Picture: the label",
  ingredientsPicture: "Picture: bowl of oil and cut fruit",
} as const;
export type PartName = keyof typeof partLabels;

/** Parts that take the page's full width. */
export const wideParts: readonly PartName[] = ["givingSection", "benefitsSection", "routinesSection"];

/** Text between `{{#giving}}` and `{{/giving}}` is shown only if the condition holds. */
export const conditionLabels = {
  giving: "Only while a share of proceeds is donated",
  returns: "Only while returns are accepted",
  noReturns: "Only while no returns are accepted",
  realCards: "Only while real cards are accepted",
} as const;
export type ConditionName = keyof typeof conditionLabels;

export const isFact = (name: string): name is FactName => Object.hasOwn(factLabels, name);
export const isPart = (name: string): name is PartName => Object.hasOwn(partLabels, name);
export const isCondition = (name: string): name is ConditionName => Object.hasOwn(conditionLabels, name);
