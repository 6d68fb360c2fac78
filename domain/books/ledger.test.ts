import fc from "fast-check";
import { expect, test } from "vitest";
import { accounts, type LedgerEvent, ledgerLines } from "./ledger.ts";

const cents = fc.nat(1_000_000);
const place = fc.constantFrom("", "TX, United States", "Germany");

/** An order with its refunds, the provider's balance entries for it, and a payout of the rest. */
const history = fc
  .record({
    gross: cents,
    discountShare: fc.nat(100),
    shipping: fc.nat(5_000),
    tax: fc.nat(100_000),
    taxPlace: place,
    givenShare: fc.nat(100),
    refundShares: fc.array(fc.nat(100), { maxLength: 4 }),
    disputed: fc.constantFrom<"no" | "won" | "lost">("no", "no", "won", "lost"),
    disputeFee: fc.nat(2_000),
    otherMoved: fc.integer({ min: -5_000, max: 5_000 }),
    monthlyFee: fc.nat(3_000),
  })
  .map((input) => {
    const discount = Math.floor((input.gross * input.discountShare) / 100);
    const remaining = { goods: input.gross - discount, shipping: input.shipping, tax: input.tax };
    const total = remaining.goods + remaining.shipping + remaining.tax;
    let toDonate = Math.floor((remaining.goods * input.givenShare) / 100);
    const sale: LedgerEvent = {
      kind: "sale",
      gross: input.gross,
      discount,
      shipping: input.shipping,
      tax: input.tax,
      taxPlace: input.taxPlace,
      toDonate,
      isOutside: false,
      exchanged: 0,
    };
    const fee = Math.round(total * 0.029) + 30;
    const events: LedgerEvent[] = [sale, { kind: "balance", movement: "charge", amount: total, fee }];
    for (const share of input.refundShares) {
      const refunded = {
        goods: Math.floor((remaining.goods * share) / 100),
        shipping: Math.floor((remaining.shipping * share) / 100),
        tax: Math.floor((remaining.tax * share) / 100),
      };
      remaining.goods -= refunded.goods;
      remaining.shipping -= refunded.shipping;
      remaining.tax -= refunded.tax;
      const toDonateNow = Math.floor((remaining.goods * input.givenShare) / 100);
      events.push({
        kind: "refund",
        ...refunded,
        taxPlace: input.taxPlace,
        toDonateChange: toDonateNow - toDonate,
        isOutside: false,
        isExchange: false,
      });
      toDonate = toDonateNow;
      events.push({
        kind: "balance",
        movement: "refund",
        amount: -(refunded.goods + refunded.shipping + refunded.tax),
        fee: 0,
      });
    }
    const disputed = remaining.goods + remaining.shipping + remaining.tax;
    if (input.disputed !== "no") {
      events.push({ kind: "balance", movement: "dispute", amount: -disputed, fee: input.disputeFee });
      if (input.disputed === "won")
        events.push({ kind: "balance", movement: "dispute", amount: disputed, fee: 0 });
      else events.push({ kind: "chargeback", cents: disputed, toDonateChange: -toDonate });
    }
    events.push({ kind: "balance", movement: "fee", amount: -input.monthlyFee, fee: 0 });
    events.push({ kind: "balance", movement: "other", amount: input.otherMoved, fee: 0 });
    return events;
  });

test("every entry balances, and the accounts agree with the events to the cent", () => {
  fc.assert(
    fc.property(
      fc.array(history, { maxLength: 8 }),
      fc.nat(100),
      cents,
      (histories, paidOutShare, donated) => {
        const events = histories.flat();
        const balance = sum(events, (event) => (event.kind === "balance" ? event.amount - event.fee : 0));
        const paidOut = Math.floor((Math.max(balance, 0) * paidOutShare) / 100);
        events.push(
          { kind: "balance", movement: "payout", amount: -paidOut, fee: 0 },
          { kind: "donation", cents: donated },
        );
        const books = new Map<string, number>();
        for (const event of events) {
          const lines = ledgerLines(event);
          expect(sum(lines, ({ debit }) => debit)).toBe(sum(lines, ({ credit }) => credit));
          for (const { account, debit, credit } of lines) {
            expect(Math.min(debit, credit)).toBe(0);
            books.set(account, (books.get(account) ?? 0) + debit - credit);
          }
        }
        const accountBalance = (account: string) => books.get(account) ?? 0;
        expect(sum([...books.values()], (value) => value)).toBe(0);
        // All sales, refunds and disputes have passed through the provider's balance.
        expect(accountBalance(accounts.receivable)).toBe(0);
        expect(accountBalance(accounts.provider)).toBe(balance - paidOut);
        expect(accountBalance(accounts.bank)).toBe(paidOut - donated);
        const sales = events.filter((event) => event.kind === "sale");
        const refunds = events.filter((event) => event.kind === "refund");
        expect(0 - accountBalance(accounts.sales)).toBe(sum(sales, ({ gross }) => gross));
        expect(accountBalance(accounts.refunds)).toBe(sum(refunds, ({ goods }) => goods));
        const tax = [...books].filter(([account]) => account.startsWith(accounts.tax));
        expect(0 - sum(tax, ([, value]) => value)).toBe(
          sum(sales, ({ tax }) => tax) - sum(refunds, ({ tax }) => tax),
        );
        expect(accountBalance(accounts.giving) + accountBalance(accounts.givingOwed)).toBe(donated);
      },
    ),
  );
});

function sum<T>(all: readonly T[], getAmount: (each: T) => number): number {
  return all.reduce((total, each) => total + getAmount(each), 0);
}

test("payments outside the shop are not booked as receivables", () => {
  const parts = { shipping: 595, tax: 0, taxPlace: "", isOutside: true } as const;
  const lines = [
    ...ledgerLines({ kind: "sale", gross: 2995, discount: 0, toDonate: 0, exchanged: 0, ...parts }),
    ...ledgerLines({ kind: "refund", goods: 1000, toDonateChange: 0, isExchange: false, ...parts }),
  ];
  expect(lines.filter(({ account }) => account === accounts.receivable)).toEqual([]);
  expect(lines.filter(({ account }) => account === accounts.outside)).toEqual([
    { account: accounts.outside, debit: 3590, credit: 0 },
    { account: accounts.outside, debit: 0, credit: 1595 },
  ]);
});
