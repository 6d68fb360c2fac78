import { randomUUID } from "node:crypto";
import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { refunds } from "../payments/tables.ts";
import { issueDueInvoices } from "./invoices.ts";
import { issueInvoice } from "./issue.ts";
import { invoiceNumbers, invoices } from "./tables.ts";

let shop: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop({ PAYMENTS: "sandbox" });
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

async function placePaidOrder(): Promise<{ buyer: TestBrowser; id: string }> {
  const buyer = shop.browser();
  const started = await order(buyer);
  await confirm(buyer, started);
  await shop.jobsDone();
  return { buyer, id: started.body.orderId };
}

const readDocuments = () =>
  shop.database.db
    .select()
    .from(invoices)
    .orderBy(asc(invoices.kind), asc(invoices.year), asc(invoices.number));
const readNumbers = async (kind: "invoice" | "credit_note") =>
  (await readDocuments()).filter((document) => document.kind === kind).map(({ number }) => number);
const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test("no invoice is issued without the seller's name and address, nor for an unpaid order", async () => {
  const { id } = await placePaidOrder();
  expect(await issueDueInvoices(shop.ctx)).toBe(0);
  const early = await owner.post(`/api/admin/orders/${id}/invoices`, { company: null, vatId: null });
  expect([early.status, early.body.message]).toEqual([409, expect.stringContaining("seller’s name")]);
  const seller = {
    legalName: "Palmira Oils GmbH",
    address: "Hauptstr. 1\n10115 Berlin",
    vatId: "DE123456789",
  };
  expect(
    (await send(owner, "PATCH", "/api/admin/settings", { seller, timeZone: "Europe/Berlin" })).status,
  ).toBe(200);
  await expect.poll(async () => (await shop.shop.settings()).seller.legalName).toBe(seller.legalName);
  const unpaid = await order(shop.browser());
  const refused = await owner.post(`/api/admin/orders/${unpaid.body.orderId}/invoices`, {
    company: null,
    vatId: null,
  });
  expect(refused.status).toBe(409);
  expect(await readDocuments()).toEqual([]);
  expect(await issueDueInvoices(shop.ctx), "the order paid earlier").toBe(1);
});

test("twenty concurrent invoices and a crash leave no gap and no duplicate number", async () => {
  const paidOrders = [];
  for (let index = 0; index < 4; index++) paidOrders.push(await placePaidOrder());
  const before = (await readNumbers("invoice")).length;
  // One transaction for each order fails before it commits, as in a crash; its number stays free.
  const fail = () => {
    throw new Error("the database is gone");
  };
  const contextThatFails = () => ({
    ...shop.ctx,
    now: () => Object.assign(new Date(), { toISOString: fail }),
  });
  const attempts = paidOrders.flatMap(({ id }) => [
    issueInvoice(contextThatFails(), id).catch(() => null),
    ...Array.from({ length: 5 }, () => issueInvoice(shop.ctx, id)),
  ]);
  const results = await Promise.all(attempts);
  expect(results.filter((result) => result?.ok && result.isNew)).toHaveLength(4);
  expect(results.filter((result) => result === null).length, "attempts that failed").toBeGreaterThan(0);
  expect(await readNumbers("invoice")).toEqual(numbersUpTo(before + 4));
});

test("an invoice names seller, buyer and lines, and never changes", async () => {
  const { buyer, id } = await placePaidOrder();
  const response = await buyer.post(`/api/orders/${id}/invoices`, {
    company: "Łódź Kosmetyka Ω Жанна",
    vatId: "PL1234567890",
  });
  expect(response.status).toBe(200);
  const [listedInvoice] = (await buyer.get(`/api/orders/${id}/invoices`)).body.data;
  expect(listedInvoice).toMatchObject({ kind: "invoice", buyer: "Łódź Kosmetyka Ω Жанна", totalCents: 3590 });
  expect(listedInvoice.label).toMatch(/^TEST-INV-\d{4}-\d{4}$/);
  const readPdf = async (browser: TestBrowser, path: string) => {
    const response = await browser.fetch(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    return Buffer.from(await response.arrayBuffer());
  };
  // The panel's search finds it by its number, with or without the prefix.
  for (const q of [listedInvoice.label, listedInvoice.label.replace("TEST-INV-", "")]) {
    const searchResult = (await owner.get(`/api/admin/find?q=${q}`)).body.data;
    expect(searchResult.invoices).toContainEqual(
      expect.objectContaining({ label: listedInvoice.label, orderId: id }),
    );
  }
  const path = `/api/orders/${id}/invoices/${listedInvoice.id}/pdf`;
  const first = await readPdf(buyer, path);
  expect(first.subarray(0, 5).toString()).toBe("%PDF-");
  // Later changes of the order or the shop do not change an issued invoice.
  await send(owner, "PATCH", "/api/admin/settings", { seller: { address: "Elsewhere 2\n10117 Berlin" } });
  expect((await readPdf(owner, `/api/admin/invoices/${listedInvoice.id}/pdf`)).equals(first)).toBe(true);
  const readLog = async () => {
    const { body } = await owner.get(`/api/admin/activity?subject=order:${id}`);
    return body.data.filter(({ summary }: { summary: string }) => summary.startsWith("Downloaded"));
  };
  expect(await readLog()).toEqual([]);
  // The owner may also use the buyer's URL, and that download is logged.
  await readPdf(owner, path);
  expect(await readLog()).toMatchObject([
    { summary: `Downloaded ${listedInvoice.label}.pdf`, outcome: "done" },
  ]);
  expect((await shop.browser().fetch(path)).status).toBe(404);
  expect((await shop.browser().get(`/api/orders/${id}/invoices`)).status).toBe(404);
  expect((await shop.browser().fetch(`/api/admin/invoices/${listedInvoice.id}/pdf`)).status).toBe(401);
  const invalid = await buyer.post(`/api/orders/${id}/invoices`, { company: null, vatId: "<>" });
  expect([invalid.status, Object.keys(invalid.body.fields)]).toEqual([422, ["vatId"]]);
});

test("each refund gets a credit note, which is voided if the refund fails", async () => {
  const { id } = await placePaidOrder();
  await issueDueInvoices(shop.ctx);
  for (const amount of [1000, 2590]) {
    await owner.post(
      `/api/admin/orders/${id}/refund`,
      { amount, reason: "Leaked" },
      { "Idempotency-Key": randomUUID() },
    );
    await shop.jobsDone();
  }
  await issueDueInvoices(shop.ctx);
  await issueDueInvoices(shop.ctx);
  const notes = (await readDocuments()).filter(
    ({ orderId, kind }) => orderId === id && kind === "credit_note",
  );
  expect(notes.map(({ totalCents }) => totalCents).sort()).toEqual([1000, 2590]);
  for (const { snapshot } of notes) {
    expect(snapshot.subtotal + snapshot.shipping.cents + snapshot.tax.cents).toBe(snapshot.total);
    expect(snapshot.corrects?.label).toMatch(/INV/);
  }
  const [failedNote] = notes;
  await shop.database.db
    .update(refunds)
    .set({ status: "failed", settledAt: null })
    .where(eq(refunds.id, failedNote?.refundId ?? ""));
  await issueDueInvoices(shop.ctx);
  const after = (await owner.get(`/api/admin/orders/${id}/invoices`)).body.data;
  expect(after.find((each: { id: string }) => each.id === failedNote?.id)).toMatchObject({
    voidReason: "The bank sent the refund back",
  });
  expect(await readNumbers("credit_note")).toEqual(numbersUpTo(2));
});

test("a refund gets a credit note even if it is found weeks later, or was made weeks before its order's invoice", async () => {
  const late = await placePaidOrder();
  await issueDueInvoices(shop.ctx);
  const early = await placePaidOrder();
  const settledAt = new Date(Date.now() - 20 * 24 * 60 * 60 * 1000);
  for (const { id } of [late, early]) {
    const headers = { "Idempotency-Key": randomUUID() };
    await owner.post(`/api/admin/orders/${id}/refund`, { amount: 700, reason: "Leaked" }, headers);
    await shop.jobsDone();
    await shop.database.db.update(refunds).set({ settledAt }).where(eq(refunds.orderId, id));
  }
  await owner.post(`/api/admin/orders/${early.id}/invoices`, { company: null, vatId: null });
  const notes = async () =>
    (await readDocuments()).filter(({ kind, totalCents }) => kind === "credit_note" && totalCents === 700);
  await issueDueInvoices(shop.ctx);
  expect((await notes()).map(({ orderId }) => orderId).sort()).toEqual([late.id, early.id].sort());
  // A credit note that the owner voids is not issued again after this time.
  await shop.database.db
    .update(invoices)
    .set({ voidedAt: new Date(), voidReason: "Written by hand" })
    .where(eq(invoices.id, (await notes())[0]?.id ?? ""));
  await issueDueInvoices(shop.ctx);
  expect(await notes()).toHaveLength(2);
});

test("an invoice that cannot be written does not stop the others", async () => {
  const [broken, later] = [await placePaidOrder(), await placePaidOrder()];
  const { db } = shop.database;
  await db.execute(
    sql.raw(`create function refuse_invoice() returns trigger language plpgsql as $$
    begin raise exception 'this one cannot be written'; end $$`),
  );
  await db.execute(
    sql.raw(`create trigger refuse_invoice before insert on invoices for each row
    when (new.order_id = '${broken.id}') execute function refuse_invoice()`),
  );
  await expect(issueDueInvoices(shop.ctx)).rejects.toThrow();
  const countInvoices = (id: string) => db.$count(invoices, eq(invoices.orderId, id));
  expect([await countInvoices(broken.id), await countInvoices(later.id)]).toEqual([0, 1]);
  await db.execute(sql`drop trigger refuse_invoice on invoices`);
  expect(await issueDueInvoices(shop.ctx)).toBe(1);
  expect(await readNumbers("invoice")).toEqual(numbersUpTo((await readNumbers("invoice")).length));
});

test("a void invoice keeps its number, and a new one can be issued", async () => {
  const { id } = await placePaidOrder();
  const body = { company: null, vatId: null };
  const first = (await owner.post(`/api/admin/orders/${id}/invoices`, body)).body.data;
  const path = `/api/admin/invoices/${first.id}/void`;
  expect((await owner.post(path, { reason: " " })).status).toBe(422);
  expect((await owner.post(path, { reason: "Wrong company" })).status).toBe(200);
  expect((await owner.post(path, { reason: "Again" })).status).toBe(409);
  expect((await shop.browser().post(path, { reason: "Mine" })).status).toBe(401);
  const second = (await owner.post(`/api/admin/orders/${id}/invoices`, { ...body, company: "Right Ltd" }))
    .body.data;
  expect(second.label).not.toBe(first.label);
  await issueDueInvoices(shop.ctx);
  const numbers = await readNumbers("invoice");
  expect(numbers).toEqual(numbersUpTo(numbers.length));
});

test("the archive of a period has every document", async () => {
  const year = new Date().getUTCFullYear();
  const period = `from=${year - 1}-01-01&to=${year + 1}-12-31`;
  const response = await owner.fetch(`/api/admin/invoices.zip?${period}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.readUInt32LE(0)).toBe(0x04034b50);
  const count = (await readDocuments()).length;
  expect(bytes.readUInt16LE(bytes.length - 22 + 10), "files in its directory").toBe(count);
  const { data, nextCursor } = (await owner.get(`/api/admin/invoices?${period}&limit=2`)).body;
  expect(data).toHaveLength(2);
  const nextPage = (await owner.get(`/api/admin/invoices?${period}&limit=100&cursor=${nextCursor}`)).body;
  expect(nextPage.data).toHaveLength(count - 2);
  expect((await owner.get("/api/admin/invoices?from=2026-02-02&to=2026-02-01")).status).toBe(422);
  expect((await shop.browser().get(`/api/admin/invoices?${period}`)).status).toBe(401);
});

test("a document that gets its number after New Year has the year of its date", async () => {
  const { id } = await placePaidOrder();
  const { db } = shop.database;
  let now = new Date("2031-12-31T22:59:59Z");
  await db.insert(invoiceNumbers).values({ mode: "sandbox", kind: "invoice", year: 2031, last: 7 });
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holder = db.transaction(async (tx) => {
    await tx.select().from(invoiceNumbers).where(eq(invoiceNumbers.year, 2031)).for("update");
    locked.resolve();
    await isReleased;
  });
  await locked.promise;
  const issuing = issueInvoice({ ...shop.ctx, now: () => now }, id);
  await expect
    .poll(async () => (await db.execute(sql`select from pg_locks where not granted`)).rows.length)
    .toBeGreaterThan(0);
  now = new Date("2031-12-31T23:00:01Z");
  release();
  await holder;
  const issued = await issuing;
  expect(issued.ok && issued.invoice).toMatchObject({
    year: 2032,
    number: 1,
    snapshot: { issuedOn: "2032-01-01", label: "TEST-INV-2032-0001" },
  });
});
