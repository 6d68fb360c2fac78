import { afterAll, beforeAll, expect, test } from "vitest";
import { bookFiles } from "../../domain/books/exports.ts";
import { accounts } from "../../domain/books/ledger.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import type { TestBrowser } from "../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { readBalance } from "./balance.ts";
import { balanceEntries } from "./tables.ts";

let shop: StripeShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openStripeShop();
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const period = `from=${day(-2)}&to=${day(2)}`;

async function placePaid(): Promise<{ id: string; intentId: string }> {
  const { body } = await order(shop.browser(), { amount: 3886 });
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { id: body.orderId, intentId: body.paymentIntentId };
}

async function told(act: () => unknown): Promise<void> {
  const from = shop.stripe.events.length;
  act();
  await shop.send(...shop.stripe.events.slice(from));
  await shop.jobsDone();
}

/** Stripe dates to the second: what happened in this one is read a little later. */
const readAll = () => readBalance({ ...shop.ctx, now: () => new Date(Date.now() + 60_000) });

/** The lines of a file by its titles, without the zone in them. */
async function file(name: string): Promise<Record<string, string>[]> {
  const answer = await owner.fetch(`/api/admin/books/${name}?${period}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  const [head = "", ...lines] = (await answer.text()).trimEnd().split("\r\n");
  const titles = head.split(",").map((title) => title.replace(/ \(.*\)$/, ""));
  return lines.map((line) => {
    const cells =
      line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, "").replaceAll('"', "")) ??
      [];
    return Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ""]));
  });
}

const cents = (text: string | undefined) => Math.round(Number(text ?? 0) * 100);
const sum = (lines: Record<string, string>[], title: string) =>
  lines.reduce((total, line) => total + cents(line[title]), 0);

test("the ledger balances, and comes to the overview, the money check and the provider's balance to the cent", async () => {
  const rates = [{ country: "US", state: null, percent: 8.25, onShipping: true }];
  await send(owner, "PATCH", "/api/admin/settings", { tax: { mode: "table", rates } });
  await expect.poll(async () => (await shop.shop.settings()).tax.mode).toBe("table");
  const [kept, refunded, disputed] = [await placePaid(), await placePaid(), await placePaid()];
  const refund = await owner.post(`/api/admin/orders/${refunded.id}/refund`, { amount: 1234, reason: null });
  expect(refund.status).toBe(200);
  await told(() => shop.stripe.dispute(disputed.intentId));
  await told(() => shop.stripe.closeDispute(shop.stripe.disputeOf(disputed.intentId).id, "lost"));
  shop.stripe.payOut(2_000);
  await readAll();
  const read = await shop.database.db.$count(balanceEntries);
  expect(read, "three charges, a refund, a dispute, a payout").toBe(6);
  await readAll();
  expect(await shop.database.db.$count(balanceEntries), "read again").toBe(read);

  const ledger = await file("ledger");
  const books = new Map<string, number>();
  const entries = new Map<string, number>();
  for (const line of ledger) {
    const moved = cents(line.Debit) - cents(line.Credit);
    books.set(line.Account ?? "", (books.get(line.Account ?? "") ?? 0) + moved);
    entries.set(line.Entry ?? "", (entries.get(line.Entry ?? "") ?? 0) + moved);
  }
  expect([...entries.values()].every((moved) => moved === 0)).toBe(true);
  const on = (account: string) => books.get(account) ?? 0;
  const { figures, tax, balance } = (await owner.get(`/api/admin/books?${period}`)).body.data;
  const { figures: overview } = (await owner.get(`/api/admin/overview?${period}`)).body.data;
  expect(figures).toEqual(overview);
  expect(0 - on(accounts.sales)).toBe(figures.grossCents);
  expect(on(accounts.discounts)).toBe(figures.discountCents);
  expect(0 - on(accounts.shipping)).toBe(figures.shippingCents);
  expect(on(accounts.refunds)).toBe(figures.refundedGoodsCents);
  expect(on(accounts.refundedShipping)).toBe(figures.refundedShippingCents);
  expect(on(accounts.chargebacks)).toBe(figures.chargedBackCents);
  expect(0 - on("Tax payable: TX, United States")).toBe(figures.taxCents - figures.refundedTaxCents);
  expect(on(accounts.receivable), "all of it is in the provider's balance").toBe(0);
  expect(0 - on(accounts.givingOwed)).toBe(figures.donatedCents);
  expect(on(accounts.bank)).toBe(2_000);
  expect(on(accounts.fees)).toBe(balance.feesCents);
  expect(tax).toMatchObject([
    { country: "US", state: "TX", taxCents: figures.taxCents, taxBackCents: figures.refundedTaxCents },
  ]);

  const started = await owner.post("/api/admin/money-checks", { from: day(-1), to: day(0) });
  await shop.jobsDone();
  const check = (await owner.get(`/api/admin/money-checks/${started.body.data.id}`)).body.data;
  expect(check.status).toBe("done");
  expect([check.bookedIn, check.bookedRefunded, check.bookedChargedBack, check.bookedFees]).toEqual([
    figures.receivedCents,
    figures.refundedCents,
    figures.chargedBackCents,
    figures.disputeFeeCents,
  ]);

  const [orders, lines, refunds, payments, moved] = (await Promise.all(
    ["orders", "lines", "refunds", "payments", "balance"].map(file),
  )) as [
    Record<string, string>[],
    Record<string, string>[],
    Record<string, string>[],
    Record<string, string>[],
    Record<string, string>[],
  ];
  expect(orders.map((row) => row["Order id"]).sort()).toEqual([kept.id, refunded.id, disputed.id].sort());
  expect(sum(orders, "Total")).toBe(figures.receivedCents);
  expect(sum(lines, "After discount")).toBe(figures.salesCents);
  expect(refunds).toMatchObject([{ Amount: "12.34", "Asked for": "in the shop" }]);
  expect(sum(refunds, "Goods") + sum(refunds, "Shipping") + sum(refunds, "Tax")).toBe(1234);
  expect(sum(payments, "Amount") - sum(payments, "Fee")).toBe(sum(payments, "After fee"));
  expect(sum(moved, "Change of balance")).toBe(on(accounts.provider));
  const byPlace = await file("tax");
  expect(byPlace).toMatchObject([{ Country: "United States", State: "TX" }]);
  expect(sum(byPlace, "Tax less refunds")).toBe(figures.taxCents - figures.refundedTaxCents);
});

test("is for the owner and the accountant, by days that are there", async () => {
  const stranger = shop.browser();
  expect((await stranger.get(`/api/admin/books?${period}`)).status).toBe(401);
  for (const name of bookFiles)
    expect((await stranger.get(`/api/admin/books/${name}?${period}`)).status).toBe(401);
  expect((await owner.get(`/api/admin/books/secrets?${period}`)).status).toBe(404);
  for (const query of [
    "",
    "from=2026-02-30&to=2026-03-01",
    "from=2026-03-02&to=2026-03-01",
    "from=2006-01-01&to=2026-01-01",
  ])
    expect((await owner.get(`/api/admin/books/ledger?${query}`)).status, query).toBe(422);
});

test("keys that may not read the balance leave the books without more of it, and nothing breaks", async () => {
  const before = await shop.database.db.$count(balanceEntries);
  shop.stripe.payOut(100);
  shop.stripe.failNext({ path: "/v1/balance_transactions", how: 403 });
  await readAll();
  expect(await shop.database.db.$count(balanceEntries)).toBe(before);
  await readAll();
  expect(await shop.database.db.$count(balanceEntries)).toBe(before + 1);
});
