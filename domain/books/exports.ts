/** The files of the books, in the order in which the panel offers them. */
export const bookFiles = ["orders", "lines", "refunds", "payments", "tax", "balance", "ledger"] as const;
export type BookFile = (typeof bookFiles)[number];

/** Title and content of each file, and the date that places a row in a period. */
export const bookFileTexts: Record<BookFile, { title: string; about: string }> = {
  orders: { title: "Orders", about: "One line per paid order, by the day it was paid." },
  lines: { title: "Items", about: "One line per product of these orders, with discount and tax." },
  refunds: {
    title: "Refunds",
    about: "By the day the money went back, split into goods, shipping and tax.",
  },
  payments: {
    title: "Payments",
    about: "What buyers paid, with the provider’s fee and the amount after it.",
  },
  tax: { title: "Tax by place", about: "Tax by country and state, net of refunds." },
  balance: {
    title: "Fees and payouts",
    about: "Every movement of your balance at the payment provider.",
  },
  ledger: {
    title: "Ledger",
    about: "Everything in double entry, for accounting software. Every entry balances.",
  },
};
