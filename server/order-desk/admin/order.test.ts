import { and, desc, eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { orderTimeline } from "../../../domain/orders/order-timeline.ts";
import { adminBrowser } from "../../../test/admin.ts";
import { confirm, order } from "../../../test/checkout.ts";
import { keptMail } from "../../../test/kept-mail.ts";
import { type ApiResponse, openTestShop, type TestBrowser } from "../../../test/shop.ts";
import { activity } from "../../admin/tables.ts";
import { stock, stockMovements } from "../../inventory/tables.ts";
import { messages } from "../../outbox/tables.ts";

const shop = await openTestShop();
const owner = await adminBrowser(shop);
afterAll(() => shop.stop());

type PlacedOrder = { browser: TestBrowser; id: string; number: number; email: string };
let buyers = 0;

async function place(overrides: Parameters<typeof order>[1] = {}) {
  buyers += 1;
  const email = `buyer${buyers}@example.com`;
  const browser = shop.browser();
  const checkout = await order(browser, { email, ...overrides });
  expect(checkout.status).toBe(201);
  return { browser, checkout, email, id: checkout.body.orderId, number: checkout.body.orderNumber };
}

async function placePaid(overrides: Parameters<typeof order>[1] = {}): Promise<PlacedOrder> {
  const placed = await place(overrides);
  await confirm(placed.browser, placed.checkout);
  await shop.jobsDone();
  return placed;
}

const path = ({ id }: Pick<PlacedOrder, "id">, rest = "") => `/api/admin/orders/${id}${rest}`;
const readOrder = async (placed: Pick<PlacedOrder, "id">) => (await owner.get(path(placed))).body.data;
const parcel = { carrier: "UPS", trackingNumber: "1Z5R89390357567127" };
const unknownOrder = { id: "00000000-0000-4000-8000-000000000000" };
const crossSite = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };

async function send(
  method: string,
  to: string,
  body: object = {},
  { browser = owner, headers = {} }: { browser?: TestBrowser; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const response = await browser.fetch(to, {
    method,
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers },
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

const readStock = async () => {
  const [row] = await shop.database.db.select().from(stock);
  return { onHand: row?.onHand, reserved: row?.reserved };
};
const readMail = async (
  { id }: Pick<PlacedOrder, "id">,
  kind: "order_confirmation_copy" | "order_called_off",
) =>
  shop.database.db
    .select()
    .from(messages)
    .where(and(eq(messages.orderId, id), eq(messages.kind, kind)));
const lastActivity = async () =>
  (await shop.database.db.select().from(activity).orderBy(desc(activity.id)).limit(1))[0];

describe("an order in the panel", () => {
  test("shows its payment, notes and possible actions, to the owner alone", async () => {
    const placed = await placePaid({ quantity: 2 });
    expect(await readOrder(placed)).toMatchObject({
      id: placed.id,
      number: placed.number,
      status: "completed",
      phoneDoubt: null,
      needsAttention: null,
      attention: [],
      notes: [],
      discountCode: null,
      items: [{ quantity: 2, returned: 0, batches: [], image: expect.stringContaining("/") }],
      payment: { provider: "sandbox", mode: "sandbox", status: "succeeded", dashboardUrl: null },
      refundableCents: 5990,
      may: {
        ship: true,
        correctParcel: false,
        deliver: false,
        refund: true,
        restock: true,
        cancel: true,
        resendConfirmation: true,
      },
    });
    expect((await placed.browser.get(path(placed))).status).toBe(401);
    expect((await owner.get(path(unknownOrder))).status).toBe(404);
    expect((await owner.get("/api/admin/orders/1001")).status).toBe(404);
  });

  test("can, while it is unpaid, only be cancelled", async () => {
    const { may, payment, refundableCents } = await readOrder(await place());
    expect(Object.entries(may).filter(([, isPossible]) => isPossible)).toEqual([["cancel", true]]);
    expect([payment.status, refundableCents]).toEqual(["requires_payment", 0]);
  });
});

describe("the packing slip", () => {
  const readSlip = async (placed: PlacedOrder) => {
    const page: string = (await owner.get(`/admin/packing-slips?order=${placed.id}`)).body;
    return /<main.*<\/main>/s.exec(page)?.[0].replaceAll("<!-- -->", "");
  };

  test("lists the units left to ship, and none of a cancelled order", async () => {
    const placed = await placePaid({ quantity: 3 });
    expect(await readSlip(placed)).toContain("3 units in this parcel.");
    await owner.post(path(placed, "/refund"), { amount: 2995, restock: [{ productId: 1, quantity: 1 }] });
    expect(await readSlip(placed)).toContain("2 units in this parcel.");
    await owner.post(path(placed, "/cancel"));
    const cancelled = await readSlip(placed);
    expect(cancelled).toContain("Do not ship");
    expect(cancelled).not.toContain("in this parcel");
  });
});

describe("notes", () => {
  test("are listed newest first, added once on a double click, and can be deleted", async () => {
    const placed = await placePaid();
    const note = (text: unknown) => owner.post(path(placed, "/notes"), { text });
    expect((await note("  Rang to ask for a gift bag ")).body.data.text).toBe("Rang to ask for a gift bag");
    await note("Rang to ask for a gift bag");
    await note("Sent it");
    const { notes } = await readOrder(placed);
    expect(notes.map(({ text }: { text: string }) => text)).toEqual([
      "Sent it",
      "Rang to ask for a gift bag",
    ]);
    expect(JSON.stringify(await lastActivity())).not.toContain("Sent it");
    expect((await send("DELETE", path(placed, `/notes/${notes[0].id}`))).status).toBe(200);
    expect((await send("DELETE", path(placed, `/notes/${notes[0].id}`))).status).toBe(404);
    const other = await placePaid();
    expect((await send("DELETE", path(other, `/notes/${notes[1].id}`))).status).toBe(404);
    expect((await readOrder(placed)).notes).toHaveLength(1);
    // The buyer never sees notes.
    expect(JSON.stringify((await placed.browser.get(`/api/orders/${placed.id}`)).body)).not.toContain(
      "gift bag",
    );
  });

  test.each([[""], ["   "], [null], ["x".repeat(2001)]])("with the text %j are refused", async (text) => {
    const response = await owner.post(path(unknownOrder, "/notes"), { text });
    expect([response.status, Object.keys(response.body.fields)]).toEqual([422, ["text"]]);
  });

  test("for an unknown order return 404, and only the owner can add and delete them", async () => {
    expect((await owner.post(path(unknownOrder, "/notes"), { text: "Hello" })).status).toBe(404);
    expect((await shop.browser().post(path(unknownOrder, "/notes"), { text: "Hello" })).status).toBe(401);
    expect((await owner.post(path(unknownOrder, "/notes"), { text: "Hello" }, crossSite)).status).toBe(403);
    expect(
      (await send("DELETE", path(unknownOrder, "/notes/1"), {}, { browser: shop.browser() })).status,
    ).toBe(401);
    expect((await send("DELETE", path(unknownOrder, "/notes/1"), {}, { headers: crossSite })).status).toBe(
      403,
    );
  });
});

describe("the confirmation", () => {
  test("is resent whenever the owner requests it, but never for an unpaid order", async () => {
    const placed = await placePaid();
    expect((await owner.post(path(placed, "/resend-confirmation"))).status).toBe(200);
    expect((await owner.post(path(placed, "/resend-confirmation"))).status).toBe(200);
    await shop.jobsDone();
    const copies = await readMail(placed, "order_confirmation_copy");
    expect(copies.map(({ status, subject }) => `${status} ${subject}`)).toEqual(
      Array(2).fill(expect.stringMatching(new RegExp(`^kept .*#${placed.number}`))),
    );
    expect(keptMail(shop, placed.email, "order_confirmation")).toHaveLength(3);
    expect((await owner.post(path(await place(), "/resend-confirmation"))).status).toBe(409);
    expect((await owner.post(path(unknownOrder, "/resend-confirmation"))).status).toBe(404);
    expect((await placed.browser.post(path(placed, "/resend-confirmation"))).status).toBe(401);
    expect((await owner.post(path(placed, "/resend-confirmation"), {}, crossSite)).status).toBe(403);
  });
});

describe("a cancellation by the owner", () => {
  test("refunds a paid order in full, tells the buyer why, and does not restock units that cannot be sold", async () => {
    const before = await readStock();
    const order = await placePaid();
    const response = await owner.post(path(order, "/cancel"), {
      reason: "The last bottle broke",
      restock: false,
    });
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({ cancelledAt: expect.any(String), items: [{ returned: 0 }] });
    expect(response.body.data.events.at(-1)).toMatchObject({ actor: "owner", note: "Cancelled by the shop" });
    await shop.jobsDone();
    expect((await readOrder(order)).status).toBe("refunded");
    expect(await readStock()).toMatchObject({ onHand: (before.onHand ?? 0) - 1 });
    const [mail, ...otherMail] = await readMail(order, "order_called_off");
    expect(otherMail).toEqual([]);
    expect(mail?.text).toContain("we had to cancel order");
    expect(mail?.text).toContain("The last bottle broke");
    expect(await lastActivity()).toMatchObject({
      summary: `Order #${order.number} cancelled`,
      outcome: "done",
    });

    const other = await placePaid();
    const responses = await Promise.all([1, 2, 3].map(() => owner.post(path(other, "/cancel"))));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    await shop.jobsDone();
    expect(await readStock()).toMatchObject({ onHand: (before.onHand ?? 0) - 1 });
    expect((await readOrder(other)).items).toMatchObject([{ returned: 1 }]);
    expect(await readMail(other, "order_called_off")).toHaveLength(1);
    expect((await readOrder(other)).refunds).toHaveLength(1);
  });

  test("of an unpaid order cancels its payment and releases its units immediately", async () => {
    const before = await readStock();
    const placed = await place();
    const response = await owner.post(path(placed, "/cancel"));
    expect(response.body.data).toMatchObject({ status: "cancelled", payment: { status: "canceled" } });
    expect(response.body.data.events.at(-1)).toMatchObject({ actor: "owner", note: "Cancelled by the shop" });
    expect(await readStock()).toEqual(before);
  });

  test("of a partly restocked order restocks only the rest", async () => {
    const before = await readStock();
    const placed = await placePaid({ quantity: 3 });
    const restock = (body: object) => owner.post(path(placed, "/restock"), body);
    expect((await restock({ restock: [{ productId: 1, quantity: 1 }] })).status).toBe(200);
    expect((await restock({ restock: [{ productId: 1, quantity: 3 }] })).status).toBe(422);
    await owner.post(path(placed, "/cancel"));
    await shop.jobsDone();
    expect(await readStock()).toEqual(before);
    expect((await restock({ restock: "all" })).status).toBe(409);
    expect((await owner.post(path(unknownOrder, "/restock"), { restock: "all" })).status).toBe(404);
    const movements = await shop.database.db
      .select()
      .from(stockMovements)
      .where(eq(stockMovements.orderId, placed.id));
    expect(movements.filter(({ kind }) => kind === "returned").map(({ quantity }) => quantity)).toEqual([
      1, 2,
    ]);
  });

  test("is refused for a shipped order", async () => {
    const placed = await placePaid();
    await owner.post(path(placed, "/ship"), parcel);
    const response = await owner.post(path(placed, "/cancel"));
    expect([response.status, response.body.error]).toEqual([409, "invalid_state"]);
    expect((await owner.post(path(unknownOrder, "/cancel"))).status).toBe(404);
  });
});

describe("parcels", () => {
  test("are shipped in bulk independently, so that one that cannot ship does not stop the others", async () => {
    const [first, unpaid, second] = [await placePaid(), await place(), await placePaid()];
    const parcels = [first, unpaid, second, first, unknownOrder].map(({ id }) => ({ id, ...parcel }));
    const { body } = await owner.post("/api/admin/orders/ship", { orders: parcels });
    expect(body.data).toEqual([
      { id: first.id, ok: true, number: first.number, shipmentId: expect.any(String) },
      { id: unpaid.id, ok: false, number: unpaid.number, reason: "This order has not been paid." },
      { id: second.id, ok: true, number: second.number, shipmentId: expect.any(String) },
      { id: first.id, ok: false, number: first.number, reason: "This order has been shipped already." },
      { id: unknownOrder.id, ok: false, number: null, reason: "There is no such order." },
    ]);
    expect((await lastActivity())?.summary).toBe(
      `Shipped: #${first.number}, #${second.number}. Not shipped: #${unpaid.number}, #${first.number}, unknown`,
    );
    expect((await readOrder(second)).status).toBe("shipped");
    const ship = (browser: TestBrowser, headers = {}) =>
      browser.post("/api/admin/orders/ship", { orders: parcels }, headers);
    expect((await ship(shop.browser())).status).toBe(401);
    expect((await ship(owner, crossSite)).status).toBe(403);
    const invalidResponse = await owner.post("/api/admin/orders/ship", {
      orders: [{ id: first.id, carrier: "UPS" }],
    });
    expect(Object.keys(invalidResponse.body.fields)).toEqual(["orders.0.trackingNumber"]);
    expect((await owner.post("/api/admin/orders/ship", { orders: [] })).status).toBe(422);
  });

  test("are shipped in bulk except for an order locked by another transaction, which is reported", async () => {
    const [first, held, second] = [await placePaid(), await placePaid(), await placePaid()];
    const { pool } = shop.database;
    // The error that PostgreSQL reports for a row that stays locked.
    await pool.query(`
      create function hold_order() returns trigger language plpgsql as $$ begin
        if new.order_id = '${held.id}' then
          raise exception 'canceling statement due to lock timeout' using errcode = '55P03';
        end if;
        return new;
      end $$;
      create trigger hold_order before insert on shipments for each row execute function hold_order()`);
    const orders = [first, held, second].map(({ id }) => ({ id, ...parcel }));
    const { body } = await owner.post("/api/admin/orders/ship", { orders });
    await pool.query("drop function hold_order cascade");
    expect(body.data.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, true]);
    expect(body.data[1].reason).toContain("busy with this order");
    expect((await lastActivity())?.summary).toContain(`Not shipped: #${held.number}`);
  });

  test("are refused after all units were restocked, which removes the order from the list of orders to ship", async () => {
    const placed = await placePaid({ quantity: 2 });
    const isListedToShip = async () => {
      const { data, queues } = (await owner.get("/api/orders?status=to_ship")).body;
      const { ordersToShip } = (await owner.get("/api/admin/counts")).body.data;
      expect([queues.to_ship, ordersToShip]).toEqual([data.length, data.length]);
      return data.some(({ orderId }: { orderId: string }) => orderId === placed.id);
    };
    const halfRefund = { amount: 1000, restock: [{ productId: 1, quantity: 1 }] };
    await owner.post(path(placed, "/refund"), halfRefund);
    expect(await isListedToShip()).toBe(true);
    await owner.post(path(placed, "/refund"), halfRefund);
    await shop.jobsDone();
    expect(await isListedToShip()).toBe(false);

    const orderView = await readOrder(placed);
    expect(orderView).toMatchObject({ status: "partially_refunded", may: { ship: false, cancel: true } });
    expect(orderView.events).toContainEqual(
      expect.objectContaining({ note: "Nothing is left to ship: all units were restocked" }),
    );
    expect(orderTimeline((await placed.browser.get(`/api/orders/${placed.id}`)).body.data).at(-1)).toEqual(
      expect.objectContaining({ title: "Partially refunded", state: "done" }),
    );
    const [row] = (await owner.get(`/api/orders?q=${placed.number}`)).body.data;
    expect(row).toMatchObject({ delivery: "not_sent", status: "succeeded", refunded: 2000 });
    const response = await owner.post(path(placed, "/ship"), parcel);
    expect([response.status, response.body.message]).toEqual([
      409,
      "All units of this order are back in stock.",
    ]);
  });

  test("can be corrected, and the buyer gets the new tracking number", async () => {
    const placed = await placePaid();
    const corrected = { carrier: "USPS", trackingNumber: "9400111201080805483016" };
    const correct = (body: object, options = {}) => send("PATCH", path(placed, "/fulfilment"), body, options);
    expect((await correct(corrected)).status).toBe(409);
    await owner.post(path(placed, "/ship"), parcel);
    expect((await correct(corrected, { browser: placed.browser })).status).toBe(401);
    expect((await correct(corrected, { headers: crossSite })).status).toBe(403);
    expect((await correct({ carrier: "USPS" })).status).toBe(422);
    const response = await correct(corrected);
    expect(response.body.data).toMatchObject({ status: "shipped", fulfilment: corrected });
    await correct(corrected);
    await shop.jobsDone();
    const emails = keptMail(shop, placed.email, "parcel_corrected");
    expect(emails).toHaveLength(1);
    expect(emails[0]).toContain(corrected.trackingNumber);
    expect(JSON.stringify(await lastActivity())).not.toContain(corrected.trackingNumber);
  });
});

describe("a withdrawal after shipping", () => {
  test("can be answered with the return address before the shop decides on it", async () => {
    const placed = await placePaid({ country: "DE", shippingOption: "international-standard" });
    await owner.post(path(placed, "/ship"), parcel);
    await placed.browser.post(`/api/orders/${placed.id}/withdraw`, { confirm: true });
    const [request] = (await readOrder(placed)).returns;
    const respond = (body: object) => send("PATCH", `/api/admin/returns/${request.id}`, body);
    expect((await respond({})).status).toBe(422);
    expect((await respond({ answer: " " })).status).toBe(422);
    const response = "Palmira\n5 Palm Street\nAustin, TX 78701";
    expect((await respond({ answer: response })).body.data).toEqual({ status: "requested" });
    await respond({ answer: response });
    await shop.jobsDone();
    const emails = keptMail(shop, placed.email, "return_answered");
    expect(emails).toHaveLength(1);
    expect(emails[0]).toContain("About your withdrawal");
    expect(emails[0]).toContain("5 Palm Street");
    expect((await readOrder(placed)).returns).toMatchObject([
      { status: "requested", answer: response, decidedAt: null },
    ]);
    expect(await lastActivity()).toMatchObject({
      subject: `order:${placed.id}`,
      summary: `Withdrawal from order #${placed.number} answered`,
    });
    expect((await respond({ status: "closed", answer: "It has arrived." })).status).toBe(200);
    await shop.jobsDone();
    expect(keptMail(shop, placed.email, "return_answered").at(-1)).toContain("It has arrived.");
    expect((await respond({ answer: "Thank you" })).status).toBe(409);
  });
});

test("several partial refunds in the sandbox never exceed the paid amount", async () => {
  const placed = await placePaid({ quantity: 2 });
  const refund = (body: object) => owner.post(path(placed, "/refund"), body);
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => refund({ amount: 1500, reason: "Late" })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422, 422, 422]);
  expect((await refund({ amount: 1491 })).body.fields.amount).toBe("At most $14.90 can be refunded");
  expect((await refund({ restock: "all" })).body.data).toMatchObject({
    status: "refunded",
    totals: { refunded: 5990 },
    items: [{ returned: 2 }],
    refund: { status: "succeeded", amount: 1490 },
  });
  expect((await refund({})).status).toBe(409);
  await shop.jobsDone();
  expect(keptMail(shop, placed.email, "refund_sent")).toHaveLength(4);
});
