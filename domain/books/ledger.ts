/** Events that move money, in cents. `place`: where tax is owed, such as "TX, United States". */
export type LedgerEvent =
  | {
      kind: "sale";
      gross: number;
      discount: number;
      shipping: number;
      tax: number;
      place: string;
      /** The part to be given away. */
      given: number;
      /** Its money came outside the shop: no provider's balance will show it. */
      isOutside: boolean;
      /** The part that an order edit paid with removed items: no money moved. */
      exchanged: number;
    }
  /** `givenChange`: by how much less is to be given away, below zero. */
  | {
      kind: "refund";
      goods: number;
      shipping: number;
      tax: number;
      place: string;
      givenChange: number;
      isOutside: boolean;
      /** An amount that an order edit exchanged for added items: no money moved. */
      isExchange: boolean;
    }
  | { kind: "chargeback"; cents: number; givenChange: number }
  /** A paid order that is cancelled: nothing of it is given away any more. Its money follows as a refund. */
  | { kind: "cancelled"; givenChange: number }
  | { kind: "donation"; cents: number }
  /** A movement of the balance at the payment provider, `amount` before its `fee`. */
  | {
      kind: "balance";
      moved: "charge" | "refund" | "dispute" | "fee" | "payout" | "other";
      amount: number;
      fee: number;
    };

export const accounts = {
  /** Payments that the provider's balance has not shown yet; refunds and disputes pass through it as well. */
  receivable: "Receivables",
  /** Cash and bank transfers of orders that the owner recorded as paid. */
  outside: "Paid outside the shop",
  /** Between the removed and the added items of an order edit; each edit leaves it at zero. */
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
  giving: "Giving",
  givingOwed: "Giving owed",
  /** Movements at the provider whose reason the shop does not know, to be clarified. */
  unexplained: "Provider movements to clarify",
} as const;

/** One side is 0. Cents. */
export type LedgerLine = { account: string; debit: number; credit: number };

/** The lines of what happened; debits and credits are the same sum. None where nothing moved. */
export function linesOf(event: LedgerEvent): LedgerLine[] {
  return postings(event)
    .filter(([, cents]) => cents !== 0)
    .map(([account, cents]) => ({ account, debit: Math.max(cents, 0), credit: Math.max(-cents, 0) }));
}

/** Debits are above zero, credits below; their sum is zero. */
function postings(event: LedgerEvent): [account: string, cents: number][] {
  switch (event.kind) {
    case "sale": {
      const { gross, discount, shipping, tax, place, given, isOutside, exchanged } = event;
      return [
        [isOutside ? accounts.outside : accounts.receivable, gross - discount + shipping + tax - exchanged],
        [accounts.exchanges, exchanged],
        [accounts.discounts, discount],
        [accounts.sales, -gross],
        [accounts.shipping, -shipping],
        [taxAccount(place), -tax],
        ...giving(given),
      ];
    }
    case "refund": {
      const { goods, shipping, tax, place, givenChange, isOutside, isExchange } = event;
      const source = isExchange ? accounts.exchanges : isOutside ? accounts.outside : accounts.receivable;
      return [
        [accounts.refunds, goods],
        [accounts.refundedShipping, shipping],
        [taxAccount(place), tax],
        [source, -(goods + shipping + tax)],
        ...giving(givenChange),
      ];
    }
    case "chargeback":
      return [
        [accounts.chargebacks, event.cents],
        [accounts.receivable, -event.cents],
        ...giving(event.givenChange),
      ];
    case "cancelled":
      return giving(event.givenChange);
    case "donation":
      return [
        [accounts.givingOwed, event.cents],
        [accounts.bank, -event.cents],
      ];
    case "balance": {
      const { moved, amount, fee } = event;
      return [
        [accounts.provider, amount - fee],
        [accounts.fees, fee],
        [counterpart[moved], -amount],
      ];
    }
  }
}

const counterpart = {
  charge: accounts.receivable,
  refund: accounts.receivable,
  dispute: accounts.receivable,
  // The amount of a fee is the fee.
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

export function taxAccount(place: string): string {
  return place === "" ? accounts.tax : `${accounts.tax}: ${place}`;
}
