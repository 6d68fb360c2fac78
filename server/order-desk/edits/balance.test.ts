import { asc } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts } from "../../../domain/books/ledger.ts";
import { adminBrowser, send } from "../../../test/admin.ts";
import { order } from "../../../test/checkout.ts";
import { csvRows, parseCents } from "../../../test/csv.ts";
import type { TestBrowser } from "../../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { unzip } from "../../../test/zip.ts";
import { readBalance } from "../../books/balance.ts";
import { issueDueInvoices } from "../../books/invoices.ts";
import { invoices } from "../../books/tables.ts";
import { orders } from "../../orders/tables.ts";
import { payments } from "../../payments/tables.ts";

let shop: StripeShop;
let owner: TestBrowser;
let smallOilId: number;
beforeAll(async () => {
  shop = await openStripeShop();
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("change" as const),
      bottles: fc.integer({ min: -2, max: 2 }),
      smallOils: fc.integer({ min: -2, max: 2 }),
      shipping: fc.constantFrom(0, 0, 333),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pay" as const), hasEvent: fc.boolean() }) },
  fc.record({ kind: fc.constant("withdraw" as const) }),
  fc.record({ kind: fc.constant("refund" as const), amount: fc.integer({ min: 1, max: 4000 }) }),
  fc.record({ kind: fc.constant("refund_line" as const) }),
  fc.record({ kind: fc.constant("refund_at_provider" as const), amount: fc.integer({ min: 1, max: 9000 }) }),
  fc.record({ kind: fc.constantFrom("ship", "change_address", "cancel" as const) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** A fixed sequence run before the generated ones: exchanges for dearer and for cheaper items, a new address and a refund. */
const exchanges: Step[] = [
  { kind: "change", bottles: -1, smallOils: 2, shipping: 0 },
  { kind: "pay", hasEvent: true },
  { kind: "change", bottles: -1, smallOils: 1, shipping: 333 },
  { kind: "change_address" },
  { kind: "refund_line" },
];

/**
 * Runs edits, payments, refunds here and at the provider, parcels, new addresses and cancellations in any sequence, from a fixed
 * seed. Then the provider holds the booked amounts, the ledger balances, document numbers have no gaps, and invoices minus credit
 * notes equal the money received.
 */
test("after any sequence of edits, payments and refunds, the books agree with the payments to the cent", async () => {
  const rates = [{ country: "US", state: null, percent: 8.25, onShipping: true }];
  const seller = { legalName: "Palmira Oils", address: "1 Main St\nAustin", vatId: "" };
  await send(owner, "PATCH", "/api/admin/settings", { tax: { mode: "table", rates }, seller });
  await expect.poll(async () => (await shop.shop.settings()).tax.mode).toBe("table");
  const productResponse = await owner.post("/api/admin/products", {
    name: "Small Oil",
    shortDescription: "Half as much.",
    description: "The same oil.",
    price: 1699,
    size: "1 fl oz",
    stock: 500,
  });
  smallOilId = productResponse.body.data.id;
  await send(owner, "PATCH", `/api/admin/products/${smallOilId}`, { published: true });
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 10 }), async (steps) => {
      const { body } = await order(shop.browser(), { quantity: 3, amount: 9726 });
      await deliverEventsFrom(() => shop.stripe.pay(body.paymentIntentId));
      for (const step of steps)
        await runStep({ orderId: body.orderId, intentId: body.paymentIntentId }, step);
      await shop.expectConserved();
    }),
    { seed: 45, numRuns: 5, examples: [[exchanges]] },
  );
  shop.travel(60_000);
  await issueDueInvoices(shop.ctx);
  await readBalance(shop.ctx);
  const dayFromToday = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const period = `from=${dayFromToday(-2)}&to=${dayFromToday(2)}`;
  const balances = new Map<string, number>();
  const entryBalances = new Map<string, number>();
  const ledger = await owner.fetch(`/api/admin/books/ledger?${period}`);
  for (const line of csvRows(await ledger.text())) {
    const balanceCents = parseCents(line.Debit) - parseCents(line.Credit);
    balances.set(line.Account ?? "", (balances.get(line.Account ?? "") ?? 0) + balanceCents);
    entryBalances.set(line.Entry ?? "", (entryBalances.get(line.Entry ?? "") ?? 0) + balanceCents);
  }
  const accountBalance = (account: string) => balances.get(account) ?? 0;
  const { figures } = (await owner.get(`/api/admin/books?${period}`)).body.data;
  expect([...entryBalances.values()].every((balanceCents) => balanceCents === 0)).toBe(true);
  expect([accountBalance(accounts.exchanges), accountBalance(accounts.receivable)]).toEqual([0, 0]);
  expect(0 - accountBalance(accounts.sales)).toBe(figures.grossCents);
  expect(0 - accountBalance(accounts.shipping)).toBe(figures.shippingCents);
  expect(accountBalance(accounts.refunds)).toBe(figures.refundedGoodsCents);
  expect(0 - accountBalance("Tax payable: TX, United States")).toBe(
    figures.taxCents - figures.refundedTaxCents,
  );

  const documents = await shop.database.db.select().from(invoices).orderBy(asc(invoices.number));
  for (const kind of ["invoice", "credit_note"]) {
    const numbers = documents.filter((document) => document.kind === kind).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  }
  const allOrders = await shop.database.db.select().from(orders);
  expect(allOrders.filter(({ exchangedCents }) => exchangedCents > 0).length).toBeGreaterThan(0);
  expect(allOrders.filter(({ shipping }) => shipping?.state === "CA").length).toBeGreaterThan(0);
  for (const { id, payableCents, refundedCents } of allOrders) {
    const invoicedCents = documents
      .filter(({ orderId }) => orderId === id)
      .reduce((sum, { kind, totalCents }) => sum + (kind === "invoice" ? totalCents : -totalCents), 0);
    expect(invoicedCents).toBe(payableCents - refundedCents);
  }
  for (const name of ["orders", "lines", "payments"]) {
    const rows = csvRows(await (await owner.fetch(`/api/admin/books/${name}?${period}`)).text());
    const sum = (title: string) => rows.reduce((cents, row) => cents + parseCents(row[title]), 0);
    if (name === "orders") expect(sum("Goods")).toBe(figures.grossCents);
    if (name === "lines") expect(sum("After discount")).toBe(figures.grossCents);
    if (name === "payments")
      expect(sum("Amount")).toBe(allOrders.reduce((cents, { payableCents }) => cents + payableCents, 0));
  }
  const response = await owner.fetch(`/api/admin/books.zip?${period}`);
  const archive = unzip(new Uint8Array(await response.arrayBuffer()));
  const [cover] = [...archive].flatMap(([name, bytes]) =>
    name.startsWith("0-cover") ? [bytes.toString()] : [],
  );
  expect(cover).toContain("Total, equal to Received");
  expect(cover).not.toContain("differ");
});

async function deliverEventsFrom(act: () => unknown): Promise<void> {
  const from = shop.stripe.events.length;
  act();
  await shop.send(...shop.stripe.events.slice(from));
  await shop.jobsDone();
}

async function runStep(
  { orderId, intentId }: { orderId: string; intentId: string },
  step: Step,
): Promise<void> {
  const path = `/api/admin/orders/${orderId}`;
  const { data } = (await owner.get(path)).body;
  const waitingEdit = data.changes.find(({ status }: { status: string }) => status === "waiting");
  switch (step.kind) {
    case "change": {
      const unitsToShip = (productId: number) =>
        data.items.find((item: { productId: number }) => item.productId === productId)?.toShip ?? 0;
      const units = [
        { productId: 1, quantity: Math.max(step.bottles, -unitsToShip(1)) },
        { productId: smallOilId, quantity: Math.max(step.smallOils, -unitsToShip(smallOilId)) },
      ];
      const editInput = {
        add: units.filter(({ quantity }) => quantity > 0),
        remove: units.flatMap(({ productId, quantity }) =>
          quantity < 0 ? [{ productId, quantity: -quantity }] : [],
        ),
        shipping: step.shipping,
      };
      const previewResponse = await owner.post(`${path}/items/preview`, editInput);
      if (previewResponse.status !== 200) return;
      const { version, difference } = previewResponse.body.data;
      expect(
        (await owner.post(`${path}/items`, { ...editInput, version, difference, email: false })).status,
      ).toBe(200);
      await shop.jobsDone();
      return;
    }
    case "pay": {
      if (!waitingEdit) return;
      const linkResponse = await owner.post(`/api/admin/orders/${orderId}/items/${waitingEdit.id}/link`);
      const token = new URL(linkResponse.body.data.url).searchParams.get("token");
      const openResponse = await shop.browser().post(`/api/pay-change/${waitingEdit.id}`, { token });
      expect(openResponse.status).toBe(200);
      const rows = await shop.database.db.select().from(payments);
      const page = rows.find(
        (row) => row.orderEditId === waitingEdit.id && row.status === "requires_payment",
      );
      // Without its event, the payment is booked when the buyer returns to the payment link's page.
      if (step.hasEvent) await deliverEventsFrom(() => shop.stripe.completeSession(page?.sessionId ?? ""));
      else {
        shop.stripe.completeSession(page?.sessionId ?? "");
        await shop.browser().get(`/api/pay-change/${waitingEdit.id}?token=${token}&done=1`);
        await shop.jobsDone();
      }
      return;
    }
    case "withdraw":
      if (waitingEdit) await owner.post(`${path}/items/${waitingEdit.id}/withdraw`);
      return;
    case "refund":
      await owner.post(`${path}/refund`, { amount: step.amount });
      return shop.jobsDone();
    case "refund_line":
      await owner.post(`${path}/refund`, { items: [{ productId: 1, quantity: 1, restock: true }] });
      return shop.jobsDone();
    case "refund_at_provider": {
      const cents = shop.stripe.intent(intentId).amount_received - shop.stripe.refundedAmount(intentId);
      if (cents > 0) {
        await deliverEventsFrom(() =>
          shop.stripe.refundFromDashboard(intentId, Math.min(cents, step.amount)),
        );
      }
      return;
    }
    case "change_address": {
      const { customerName, email, phone, contactVersion: version, shipping } = data;
      const isInTexas = shipping.state === "TX";
      const to = isInTexas ? { city: "San Jose", state: "CA" } : { city: "Austin", state: "TX" };
      await send(owner, "PATCH", `${path}/contact`, {
        customerName,
        email,
        phone: phone || null,
        version,
        waiveDifference: true,
        shipping: { ...shipping, ...to },
      });
      return;
    }
    case "cancel":
      await owner.post(`${path}/cancel`, {});
      return shop.jobsDone();
    case "ship":
      await owner.post(`${path}/ship`, {
        carrier: "DHL",
        trackingNumber: null,
        lines: [{ productId: 1, quantity: 1 }],
        force: true,
        reason: "Now",
      });
      return shop.jobsDone();
  }
}
