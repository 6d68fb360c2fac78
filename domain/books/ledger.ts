/** Events that move money, in cents. `taxPlace`: where tax is owed, such as "TX, United States". */
export type LedgerEvent =
  | {
      kind: "sale";
      gross: number;
      discount: number;
      shipping: number;
      tax: number;
      taxPlace: string;
      /** The part to donate. */
      toDonate: number;
      /** Paid outside the shop: no provider's balance will contain it. */
      isOutside: boolean;
      /** The amount paid by removed items of an order edit; no payment is made. */
      exchanged: number;
    }
  /** `toDonateChange`: change of the part to donate, a negative amount. */
  | {
      kind: "refund";
      goods: number;
      shipping: number;
      tax: number;
      taxPlace: string;
      toDonateChange: number;
      isOutside: boolean;
      /** An amount exchanged for added items; no refund is made. */
      isExchange: boolean;
    }
  | { kind: "chargeback"; cents: number; toDonateChange: number }
  /** A paid order that is cancelled: no part of it is donated anymore. Its refund follows as a separate event. */
  | { kind: "cancelled"; toDonateChange: number }
  | { kind: "donation"; cents: number }
  /** Cost of a replacement's goods; negative when it is cancelled. */
  | { kind: "replacement"; cents: number }
  /** Cost of a label that a carrier sold; negative when it is voided. */
  | { kind: "label"; cents: number }
  /** A movement of the balance at the payment provider, `amount` before its `fee`. */
  | {
      kind: "balance";
      movement: "charge" | "refund" | "dispute" | "fee" | "payout" | "other";
      amount: number;
      fee: number;
    };

export const accounts = {
  /** Payments that the provider's balance does not contain yet; refunds and disputes pass through it as well. */
  receivable: "Receivables",
  /** Cash and bank transfers of orders that the owner recorded as paid. */
  outside: "Paid outside the shop",
  /** Offsets removed items against added ones, in an order edit or an exchange; each of them leaves this account at zero. */
  exchanges: "Exchanges",
  provider: "Provider balance",
  bank: "Bank",
  sales: "Sales",
  discounts: "Discounts",
  shipping: "Shipping",
  tax: "Tax payable",
  refunds: "Refunds",
  refundedShipping: "Refunds of shipping",
  chargebacks: "Chargebacks",
  fees: "Provider fees",
  /** Cost of goods sent again at no charge, and the account that these goods are taken from. */
  replacements: "Replacements",
  goods: "Goods",
  /** Labels bought for parcels, and the account at the carrier from which they are paid. Buyers' payments are in `shipping`. */
  postage: "Postage",
  carrier: "Carrier account",
  giving: "Giving",
  givingOwed: "Giving owed",
  /** Movements of the provider balance without a known reason. */
  unexplained: "Provider movements to clarify",
} as const;

/** Cents; either debit or credit is 0. */
type LedgerLine = { account: string; debit: number; credit: number };

/** The entry's lines; debits and credits add up to the same amount. Empty if the event moves no money. */
export function ledgerLines(event: LedgerEvent): LedgerLine[] {
  return postings(event)
    .filter(([, cents]) => cents !== 0)
    .map(([account, cents]) => ({ account, debit: Math.max(cents, 0), credit: Math.max(-cents, 0) }));
}

/** Debits are positive, credits negative; all add up to zero. */
function postings(event: LedgerEvent): [account: string, cents: number][] {
  switch (event.kind) {
    case "sale": {
      const { gross, discount, shipping, tax, taxPlace, toDonate, isOutside, exchanged } = event;
      return [
        [isOutside ? accounts.outside : accounts.receivable, gross - discount + shipping + tax - exchanged],
        [accounts.exchanges, exchanged],
        [accounts.discounts, discount],
        [accounts.sales, -gross],
        [accounts.shipping, -shipping],
        [taxAccount(taxPlace), -tax],
        ...giving(toDonate),
      ];
    }
    case "refund": {
      const { goods, shipping, tax, taxPlace, toDonateChange, isOutside, isExchange } = event;
      const source = isExchange ? accounts.exchanges : isOutside ? accounts.outside : accounts.receivable;
      return [
        [accounts.refunds, goods],
        [accounts.refundedShipping, shipping],
        [taxAccount(taxPlace), tax],
        [source, -(goods + shipping + tax)],
        ...giving(toDonateChange),
      ];
    }
    case "chargeback":
      return [
        [accounts.chargebacks, event.cents],
        [accounts.receivable, -event.cents],
        ...giving(event.toDonateChange),
      ];
    case "cancelled":
      return giving(event.toDonateChange);
    case "donation":
      return [
        [accounts.givingOwed, event.cents],
        [accounts.bank, -event.cents],
      ];
    case "replacement":
      return [
        [accounts.replacements, event.cents],
        [accounts.goods, -event.cents],
      ];
    case "label":
      return [
        [accounts.postage, event.cents],
        [accounts.carrier, -event.cents],
      ];
    case "balance": {
      const { movement, amount, fee } = event;
      return [
        [accounts.provider, amount - fee],
        [accounts.fees, fee],
        [counterpart[movement], -amount],
      ];
    }
  }
}

const counterpart = {
  charge: accounts.receivable,
  refund: accounts.receivable,
  dispute: accounts.receivable,
  // A fee's amount is the fee itself.
  fee: accounts.fees,
  payout: accounts.bank,
  other: accounts.unexplained,
} as const;

function giving(cents: number): [account: string, cents: number][] {
  return [
    [accounts.giving, cents],
    [accounts.givingOwed, -cents],
  ];
}

function taxAccount(taxPlace: string): string {
  return taxPlace === "" ? accounts.tax : `${accounts.tax}: ${taxPlace}`;
}
