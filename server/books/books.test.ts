import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bookFiles } from "../../domain/books/exports.ts";
import { accounts } from "../../domain/books/ledger.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { checkoutBody, order } from "../../test/checkout.ts";
import { type CsvRow, csvRows, parseCents, sumColumn } from "../../test/csv.ts";
import { openPlain } from "../../test/plain-browser.ts";
import type { TestBrowser } from "../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { unzip } from "../../test/zip.ts";
import { payments } from "../payments/tables.ts";
import { readBalance } from "./balance.ts";
import { issueDueInvoices } from "./invoices.ts";
import { balanceEntries, invoices } from "./tables.ts";

let shop: StripeShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openStripeShop();
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

const dayFromToday = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const period = `from=${dayFromToday(-2)}&to=${dayFromToday(2)}`;

async function placePaidOrder(): Promise<{ id: string; intentId: string }> {
  const { body } = await order(shop.browser(), { amount: 3886 });
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { id: body.orderId, intentId: body.paymentIntentId };
}

async function deliverEvents(act: () => unknown): Promise<void> {
  const from = shop.stripe.events.length;
  act();
  await shop.send(...shop.stripe.events.slice(from));
  await shop.jobsDone();
}

/** Reads the balance as of a minute later, because Stripe's times have whole seconds. */
const readBalanceNow = () => readBalance({ ...shop.ctx, now: () => new Date(Date.now() + 60_000) });

/** The rows of one of the books' CSV files. */
async function readBookFile(name: string): Promise<CsvRow[]> {
  const response = await owner.fetch(`/api/admin/books/${name}?${period}`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  return csvRows(await response.text());
}

test("the ledger balances, and agrees with overview, money check and the provider's balance to the cent", async () => {
  const rates = [{ country: "US", state: null, percent: 8.25, onShipping: true }];
  await send(owner, "PATCH", "/api/admin/settings", { tax: { mode: "table", rates } });
  await expect.poll(async () => (await shop.shop.settings()).tax.mode).toBe("table");
  const [unchanged, refunded, disputed] = [
    await placePaidOrder(),
    await placePaidOrder(),
    await placePaidOrder(),
  ];
  const refund = await owner.post(`/api/admin/orders/${refunded.id}/refund`, { amount: 1234, reason: null });
  expect(refund.status).toBe(200);
  await deliverEvents(() => shop.stripe.dispute(disputed.intentId));
  await deliverEvents(() => shop.stripe.closeDispute(shop.stripe.findDispute(disputed.intentId).id, "lost"));
  shop.stripe.payOut(2_000);
  await readBalanceNow();
  const entryCount = await shop.database.db.$count(balanceEntries);
  expect(entryCount, "three charges, a refund, a dispute, a payout").toBe(6);
  await readBalanceNow();
  expect(await shop.database.db.$count(balanceEntries), "read again").toBe(entryCount);

  const ledger = await readBookFile("ledger");
  const balances = new Map<string, number>();
  const entrySums = new Map<string, number>();
  for (const line of ledger) {
    const changeCents = parseCents(line.Debit) - parseCents(line.Credit);
    balances.set(line.Account ?? "", (balances.get(line.Account ?? "") ?? 0) + changeCents);
    entrySums.set(line.Entry ?? "", (entrySums.get(line.Entry ?? "") ?? 0) + changeCents);
  }
  expect([...entrySums.values()].every((sum) => sum === 0)).toBe(true);
  const accountBalance = (account: string) => balances.get(account) ?? 0;
  const { figures, tax, balance } = (await owner.get(`/api/admin/books?${period}`)).body.data;
  const { figures: overview } = (await owner.get(`/api/admin/overview?${period}`)).body.data;
  expect(figures).toEqual(overview);
  expect(0 - accountBalance(accounts.sales)).toBe(figures.grossCents);
  expect(accountBalance(accounts.discounts)).toBe(figures.discountCents);
  expect(0 - accountBalance(accounts.shipping)).toBe(figures.shippingCents);
  expect(accountBalance(accounts.refunds)).toBe(figures.refundedGoodsCents);
  expect(accountBalance(accounts.refundedShipping)).toBe(figures.refundedShippingCents);
  expect(accountBalance(accounts.chargebacks)).toBe(figures.chargedBackCents);
  expect(0 - accountBalance("Tax payable: TX, United States")).toBe(
    figures.taxCents - figures.refundedTaxCents,
  );
  expect(accountBalance(accounts.receivable), "all of it is in the provider's balance").toBe(0);
  expect(0 - accountBalance(accounts.givingOwed)).toBe(figures.donatedCents);
  expect(accountBalance(accounts.bank)).toBe(2_000);
  expect(accountBalance(accounts.fees)).toBe(balance.feesCents);
  expect(tax).toMatchObject([
    { country: "US", state: "TX", taxCents: figures.taxCents, taxBackCents: figures.refundedTaxCents },
  ]);

  const started = await owner.post("/api/admin/money-checks", {
    from: dayFromToday(-1),
    to: dayFromToday(0),
  });
  await shop.jobsDone();
  const check = (await owner.get(`/api/admin/money-checks/${started.body.data.id}`)).body.data;
  expect(check.status).toBe("done");
  expect([check.bookedIn, check.bookedRefunded, check.bookedChargedBack, check.bookedFees]).toEqual([
    figures.receivedCents,
    figures.refundedCents,
    figures.chargedBackCents,
    figures.disputeFeeCents,
  ]);

  const [orders, lines, refunds, payments, movements] = (await Promise.all(
    ["orders", "lines", "refunds", "payments", "balance"].map(readBookFile),
  )) as [CsvRow[], CsvRow[], CsvRow[], CsvRow[], CsvRow[]];
  expect(orders.map((row) => row["Order id"]).sort()).toEqual(
    [unchanged.id, refunded.id, disputed.id].sort(),
  );
  expect(sumColumn(orders, "Total")).toBe(figures.receivedCents);
  expect(sumColumn(lines, "After discount")).toBe(figures.salesCents);
  expect(refunds).toMatchObject([{ Amount: "12.34", "Asked for": "in the shop" }]);
  expect(sumColumn(refunds, "Goods") + sumColumn(refunds, "Shipping") + sumColumn(refunds, "Tax")).toBe(1234);
  expect(sumColumn(payments, "Amount") - sumColumn(payments, "Fee")).toBe(sumColumn(payments, "After fee"));
  expect(sumColumn(movements, "Change of balance")).toBe(accountBalance(accounts.provider));
  const byPlace = await readBookFile("tax");
  expect(byPlace).toMatchObject([{ Country: "United States", State: "TX" }]);
  expect(sumColumn(byPlace, "Tax less refunds")).toBe(figures.taxCents - figures.refundedTaxCents);
});

test("with prices including tax, all figures of goods exclude tax and add up", async () => {
  const rates = [
    { country: "US", state: null, percent: 8.25, onShipping: true },
    { country: "DE", state: null, percent: 19, onShipping: true },
  ];
  const settings = { tax: { mode: "table", rates }, taxIncludedIn: ["DE"] };
  expect((await send(owner, "PATCH", "/api/admin/settings", settings)).status).toBe(200);
  await expect.poll(async () => (await shop.shop.settings()).tax.rates.at(-1)?.included).toBe("VAT");
  const code = { code: "TENTH", kind: "percent", value: 10 };
  expect((await owner.post("/api/admin/discounts", code)).status).toBe(201);
  const before = (await owner.get(`/api/admin/books?${period}`)).body.data;

  const buyer = shop.browser();
  const toGermany = {
    country: "DE",
    shippingOption: "international-standard",
    quantity: 3,
    discountCode: "TENTH",
  };
  const withTaxOnTop = await order(buyer, { ...toGermany, amount: 10_000 });
  // 3 × 29.95 − 8.99 + 5.95; no tax is added.
  expect([withTaxOnTop.status, withTaxOnTop.body.total]).toEqual([409, 8681]);
  const { body: started } = await order(buyer, { ...toGermany, amount: 8681 });
  // 19/119 of 80.86 and of 5.95.
  const amountsWithTax = {
    subtotal: 8985,
    discount: 899,
    shipping: 595,
    tax: 1291 + 95,
    total: 8681,
    currency: "USD",
  };
  const totals = { ...amountsWithTax, taxIncluded: { name: "VAT", inShipping: 95 } };
  expect(started.totals).toEqual(totals);
  await shop.send(shop.stripe.pay(started.paymentIntentId));
  await shop.jobsDone();
  const id = started.orderId;
  const refund = `/api/admin/orders/${id}/refund`;
  const bottle = { items: [{ productId: 1, quantity: 1, restock: false }], shipping: 595, reason: null };
  const key = { "Idempotency-Key": "one bottle and its shipping" };
  expect((await owner.post(refund, bottle, key)).status).toBe(200);
  expect((await owner.post(refund, bottle, key)).status, "repeated with its key").toBe(200);
  expect((await owner.post(refund, { amount: 1000, reason: null })).status).toBe(200);
  await shop.jobsDone();

  await readBalanceNow();

  const orderNow = (await owner.get(`/api/admin/orders/${id}`)).body.data;
  expect(orderNow.totals).toMatchObject({ ...totals, refunded: 2695 + 595 + 1000 });
  expect(orderNow.items[0].paid).toBe(8086);
  expect((await openPlain(owner, `/admin/orders/${id}`)).text).toContain("Includes $13.86 VAT");
  expect(orderNow.refunds).toMatchObject([
    { amount: 3290, goods: 2265, shipping: 500, tax: 430 + 95 },
    { amount: 1000 },
  ]);
  const { figures, tax } = (await owner.get(`/api/admin/books?${period}`)).body.data;
  const figureIncrease = (name: string) => figures[name] - before.figures[name];
  expect([
    figureIncrease("grossCents"),
    figureIncrease("discountCents"),
    figureIncrease("salesCents"),
  ]).toEqual([7550, 755, 6795]);
  expect([
    figureIncrease("shippingCents"),
    figureIncrease("taxCents"),
    figureIncrease("receivedCents"),
  ]).toEqual([500, 1386, 8681]);
  expect(figureIncrease("netCents")).toBe(8681 - 4290);
  const germany = tax.find(({ country }: { country: string }) => country === "DE");
  expect(germany).toMatchObject({ soldCents: 7295, taxCents: 1386 });
  expect(germany.soldBackCents + germany.taxBackCents).toBe(4290);

  const balances = new Map<string, number>();
  for (const { Account = "", Debit, Credit } of await readBookFile("ledger"))
    balances.set(Account, (balances.get(Account) ?? 0) + parseCents(Debit) - parseCents(Credit));
  expect([...balances.values()].reduce((total, cents) => total + cents, 0)).toBe(0);
  expect(0 - (balances.get("Tax payable: TX, Germany") ?? 0)).toBe(germany.taxCents - germany.taxBackCents);
  expect(0 - (balances.get(accounts.sales) ?? 0)).toBe(figures.grossCents);
  expect(balances.get(accounts.receivable), "all of it is in the provider's balance").toBe(0);
  const ordersFile = await readBookFile("orders");
  const row = ordersFile.find((line) => line["Order id"] === id);
  expect(row).toMatchObject({
    Goods: "75.50",
    Discount: "7.55",
    Shipping: "5.00",
    Tax: "13.86",
    Total: "86.81",
  });
  const lines = await readBookFile("lines");
  expect(sumColumn(lines, "After discount")).toBe(figures.salesCents);
  expect(lines.find((line) => line["Order id"] === id)).toMatchObject({
    "Unit price": "29.95",
    "After discount": "67.95",
    Tax: "12.91",
    "Prices include": "VAT",
  });

  const seller = { legalName: "Palmira GmbH", address: "Hauptstr. 1\n10115 Berlin" };
  await send(owner, "PATCH", "/api/admin/settings", { seller });
  await expect.poll(async () => (await shop.shop.settings()).seller.legalName).toBe(seller.legalName);
  await issueDueInvoices(shop.ctx);
  await issueDueInvoices(shop.ctx);
  const documents = await shop.database.db.select().from(invoices).where(eq(invoices.orderId, id));
  const [invoice, ...notes] = documents.map(({ snapshot }) => snapshot).sort((a, b) => b.total - a.total);
  expect(invoice).toMatchObject({
    subtotal: 8985,
    discount: 899,
    shipping: { cents: 595 },
    total: 8681,
    tax: { place: "TX, Germany", percent: 19, cents: 1386, included: { name: "VAT", inShipping: 95 } },
  });
  expect(notes).toMatchObject([
    { lines: [{ quantity: 1, total: 2695 }], shipping: { cents: 595 }, tax: { cents: 525 }, total: 3290 },
    { total: 1000 },
  ]);
  for (const { subtotal, shipping, total } of notes) expect(subtotal + shipping.cents).toBe(total);
  const [pdf] = (await owner.get(`/api/admin/orders/${id}/invoices`)).body.data;

  // One archive has the same files, the same documents, and a cover page whose sums are those of the books.
  const archive = await owner.fetch(`/api/admin/books.zip?${period}`);
  const name = `books-${dayFromToday(-2)}-${dayFromToday(0)}.zip`;
  expect(archive.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
  const contents = unzip(new Uint8Array(await archive.arrayBuffer()));
  const fetchBytes = async (path: string) => Buffer.from(await (await owner.fetch(path)).arrayBuffer());
  for (const file of bookFiles)
    expect(contents.get(`${file}-${dayFromToday(-2)}-${dayFromToday(0)}.csv`), file).toEqual(
      await fetchBytes(`/api/admin/books/${file}?${period}`),
    );
  const document = contents.get(`invoices/${pdf.label}.pdf`);
  expect(document).toEqual(await fetchBytes(`/api/admin/invoices/${pdf.id}/pdf`));
  const cover = contents.get(`0-cover-page-${dayFromToday(-2)}-${dayFromToday(0)}.html`)?.toString() ?? "";
  for (const sum of [
    "Total, equal to Received",
    "After discount, equal to Gross sales less discounts",
    "Amount, equal to Refunds",
    "Tax less refunds, equal to Tax less its refunds",
    "Debit, equal to its Credit",
    formatCents(figures.netCents),
    `Palmira, ${seller.legalName}, Hauptstr. 1, 10115 Berlin`,
  ])
    expect(cover).toContain(sum);
  expect(cover).not.toContain("differ");
  const [entry] = (await owner.get("/api/admin/activity?limit=50")).body.data.filter(
    ({ summary }: { summary: string }) => summary.endsWith(".zip"),
  );
  expect(entry).toMatchObject({ summary: `Downloaded ${name}`, outcome: "done" });
});

test("an order is taxed at its original place after a change of its address", async () => {
  const rates = [
    { country: "US", state: null, percent: 8.25, onShipping: true },
    { country: "DE", state: "BE", percent: 19, onShipping: true },
  ];
  const settings = {
    tax: { mode: "table", rates },
    taxIncludedIn: ["DE"],
    seller: { legalName: "", address: "" },
  };
  expect((await send(owner, "PATCH", "/api/admin/settings", settings)).status).toBe(200);
  await expect.poll(async () => (await shop.shop.settings()).tax.rates.at(-1)?.state).toBe("BE");
  await expect.poll(async () => (await shop.shop.settings()).seller.legalName).toBe("");
  const { shipping, ...rest } = checkoutBody({ shippingOption: "international-standard" });
  const berlin = { ...shipping, city: "Berlin", state: "BE", postalCode: "10115", country: "DE" };
  const { body } = await shop
    .browser()
    .post("/api/stripe/create-payment-intent", { ...rest, shipping: berlin });
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  const id = body.orderId as string;
  const path = `/api/admin/orders/${id}`;
  const readOrderRows = async (name: string) => {
    const rows = await readBookFile(name);
    const places = rows.filter(({ Country, State }) => Country === "Germany" && State === "BE");
    return name === "tax"
      ? places
      : rows.filter((row) => row["Order id"] === id || row.Order === `${number}`);
  };
  const { customerName, email, phone, contactVersion: version, number } = (await owner.get(path)).body.data;
  const before = await readOrderRows("tax");
  expect(before).toMatchObject([{ State: "BE", Tax: "5.73" }]);

  const contact = { customerName, email, phone, version, waiveDifference: true };
  for (const [city, state, country] of [
    ["Austin", "TX", "US"],
    ["Lyon", "", "FR"],
    ["Boise", "ID", "US"],
  ]) {
    const shipping = { line1: "1 Main St", line2: "", city, state, postalCode: "78701", country };
    const { contactVersion } = (await owner.get(path)).body.data;
    const contactResponse = await send(owner, "PATCH", `${path}/contact`, {
      ...contact,
      version: contactVersion,
      shipping,
    });
    expect(contactResponse.status, JSON.stringify(contactResponse.body)).toBe(200);
    expect(await readOrderRows("tax"), `sent to ${city}`).toEqual(before);
  }

  // Lines added by an edit are taxed at the original place, too.
  const edit = { add: [{ productId: 1, quantity: 1 }], remove: [], shipping: 0 };
  const preview = (await owner.post(`${path}/items/preview`, edit)).body.data;
  expect(preview).toMatchObject({ tax: 478, addedTotal: 2995, taxIncluded: "VAT" });
  const editResponse = await owner.post(`${path}/items`, {
    ...edit,
    version: preview.version,
    difference: preview.difference,
    email: false,
  });
  const [{ id: changeId }] = editResponse.body.data.changes;
  const { url } = (await owner.post(`${path}/items/${changeId}/link`, {})).body.data;
  const token = new URL(url).searchParams.get("token");
  expect((await shop.browser().post(`/api/pay-change/${changeId}`, { token })).status).toBe(200);
  const rows = await shop.database.db.select().from(payments).where(eq(payments.orderEditId, changeId));
  await deliverEvents(() => shop.stripe.completeSession(rows[0]?.sessionId ?? ""));
  await owner.post(`${path}/refund`, { amount: 1000 });
  await shop.jobsDone();
  expect(await readOrderRows("tax")).toMatchObject([
    { State: "BE", Tax: "10.51", "Tax refunded": (await readOrderRows("refunds"))[0]?.Tax },
  ]);
  for (const name of ["orders", "refunds"]) {
    const rows = await readOrderRows(name);
    expect(rows.map(({ Country, State }) => [Country, State])).toEqual(rows.map(() => ["DE", "BE"]));
    expect(rows.length, name).toBe(name === "orders" ? 2 : 1);
  }
  const taxLines = (await readOrderRows("ledger")).filter(({ Account }) =>
    Account?.startsWith("Tax payable"),
  );
  expect(taxLines.map(({ Account }) => Account)).toEqual(taxLines.map(() => "Tax payable: BE, Germany"));
  expect(taxLines).toHaveLength(3);

  // Invoices issued only now name the original place, too.
  const seller = { legalName: "Palmira GmbH", address: "Hauptstr. 1\n10115 Berlin" };
  await send(owner, "PATCH", "/api/admin/settings", { seller });
  await expect.poll(async () => (await shop.shop.settings()).seller.legalName).toBe(seller.legalName);
  expect((await owner.post(`${path}/invoices`, { company: null, vatId: null })).status).toBeLessThan(300);
  await issueDueInvoices(shop.ctx);
  const documents = await shop.database.db.select().from(invoices).where(eq(invoices.orderId, id));
  expect(documents.map(({ snapshot }) => snapshot.tax.place)).toEqual(documents.map(() => "BE, Germany"));
  expect(documents.map(({ snapshot }) => snapshot.tax.percent)).toEqual([19, 19, 19]);
  await readBalanceNow();
});

test("a stranger cannot read the books, and invalid periods are rejected", async () => {
  const stranger = shop.browser();
  expect((await stranger.get(`/api/admin/books?${period}`)).status).toBe(401);
  for (const name of bookFiles)
    expect((await stranger.get(`/api/admin/books/${name}?${period}`)).status).toBe(401);
  expect((await stranger.get(`/api/admin/books.zip?${period}`)).status).toBe(401);
  expect((await owner.get(`/api/admin/books/secrets?${period}`)).status).toBe(404);
  for (const query of [
    "",
    "from=2026-02-30&to=2026-03-01",
    "from=2026-03-02&to=2026-03-01",
    "from=2006-01-01&to=2026-01-01",
  ])
    expect((await owner.get(`/api/admin/books/ledger?${query}`)).status, query).toBe(422);
});

test("entries of the provider's balance are found even after the shop's clock was a year ahead for a while", async () => {
  await readBalance({ ...shop.ctx, now: () => new Date(Date.now() + 365 * 86_400_000) });
  const before = await shop.database.db.$count(balanceEntries);
  await placePaidOrder();
  await readBalanceNow();
  expect(await shop.database.db.$count(balanceEntries)).toBe(before + 1);
  const until = Date.parse((await owner.get(`/api/admin/books?${period}`)).body.data.balance.readUntil);
  expect(until).toBeLessThan(Date.now() + 86_400_000);
});

test("without permission to read the provider's balance, the books still work", async () => {
  const before = await shop.database.db.$count(balanceEntries);
  shop.stripe.payOut(100);
  shop.stripe.failNext({ path: "/v1/balance_transactions", how: 403 });
  await readBalanceNow();
  expect(await shop.database.db.$count(balanceEntries)).toBe(before);
  await readBalanceNow();
  expect(await shop.database.db.$count(balanceEntries)).toBe(before + 1);
});
