import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderTimeline } from "../../../domain/orders/order-timeline.ts";
import { adminBrowser, send } from "../../../test/admin.ts";
import { confirm, order } from "../../../test/checkout.ts";
import { keptMail } from "../../../test/kept-mail.ts";
import { findRuleViolations } from "../../../test/order-rules.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../../test/shop.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { messages } from "../../outbox/tables.ts";
import { shipmentLines, shipments } from "../tables.ts";

let shop: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop();
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

type PlacedOrder = { browser: TestBrowser; id: string; number: number; email: string };
let buyers = 0;

async function placePaid(quantity = 3, overrides: Parameters<typeof order>[1] = {}): Promise<PlacedOrder> {
  buyers += 1;
  const email = `parcels${buyers}@example.com`;
  const browser = shop.browser();
  const checkout = await order(browser, { email, quantity, ...overrides });
  expect(checkout.status).toBe(201);
  await confirm(browser, checkout);
  await shop.jobsDone();
  return { browser, email, id: checkout.body.orderId, number: checkout.body.orderNumber };
}

const path = ({ id }: Pick<PlacedOrder, "id">, rest = "") => `/api/admin/orders/${id}${rest}`;
const readOrder = async (placed: Pick<PlacedOrder, "id">) => (await owner.get(path(placed))).body.data;
const units = (quantity: number) => [{ productId: 1, quantity }];
const ship = (placed: Pick<PlacedOrder, "id">, body: object = {}) =>
  owner.post(path(placed, "/ship"), { carrier: "UPS", trackingNumber: null, ...body });
const restock = (placed: PlacedOrder, quantity: number) =>
  owner.post(path(placed, "/restock"), { restock: units(quantity) });

describe("an order in several parcels", () => {
  test("becomes shipped with the last parcel, and each parcel has an e-mail with its units and tracking number", async () => {
    const placed = await placePaid();
    const first = await ship(placed, { trackingNumber: "1Z5R89390357567127", lines: units(1) });
    expect(first.body.data).toMatchObject({
      status: "completed",
      fulfilment: null,
      may: { ship: true, cancel: false, deliver: false },
      items: [{ toShip: 2 }],
      shipments: [
        { number: 1, trackingNumber: "1Z5R89390357567127", items: [{ productId: 1, quantity: 1 }] },
      ],
    });
    const [row] = (await owner.get(`/api/orders?status=to_ship&q=${placed.number}`)).body.data;
    expect(row.delivery).toBe("partly_shipped");
    expect((await placed.browser.post(`/api/orders/${placed.id}/cancel`)).status).toBe(409);
    expect((await owner.post(path(placed, "/deliver"))).status).toBe(409);

    expect((await ship(placed, { lines: units(3) })).body.message).toContain("Only 2 ×");
    expect((await ship(placed)).body.data).toMatchObject({
      status: "shipped",
      fulfilment: { carrier: "UPS", trackingNumber: null, trackingUrl: null },
      shipments: [{ number: 1 }, { number: 2, items: [{ quantity: 2 }] }],
    });
    expect((await ship(placed)).status).toBe(409);
    await shop.jobsDone();
    const emails = keptMail(shop, placed.email, "order_shipped");
    expect(emails).toHaveLength(2);
    expect(
      emails.some((mail) => mail.includes("1Z5R89390357567127") && mail.includes("another package")),
    ).toBe(true);
    expect(emails.some((mail) => mail.includes("Nothing else is to follow"))).toBe(true);

    const orderView = (await placed.browser.get(`/api/orders/${placed.id}`)).body.data;
    expect(orderTimeline(orderView).map(({ title, parcel }) => [title, parcel?.number ?? null])).toEqual([
      ["Order placed", null],
      ["Paid", null],
      ["Partly shipped", 1],
      ["Shipped", 2],
      ["Delivered", null],
    ]);
    const [firstParcel, secondParcel] = orderView.shipments;
    const deliver = (id: string) => owner.post(path(placed, `/shipments/${id}/deliver`));
    expect((await deliver(firstParcel.id)).body.data.status).toBe("shipped");
    expect((await deliver(firstParcel.id)).status).toBe(409);
    expect((await deliver(randomUUID())).status).toBe(404);
    expect((await deliver(secondParcel.id)).body.data.status).toBe("delivered");
    await shop.jobsDone();
    expect(keptMail(shop, placed.email, "order_delivered")).toHaveLength(1);
  });

  test("gets one parcel if the same call is sent twice, even concurrently", async () => {
    const placed = await placePaid();
    const body = { lines: units(1), shipmentId: randomUUID() };
    const responses = await Promise.all([ship(placed, body), ship(placed, body)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await readOrder(placed)).shipments).toHaveLength(1);
    expect((await ship(await placePaid(), body)).body.message).toContain("another order");
    const restResponses = await Promise.all([ship(placed), ship(placed)]);
    expect(restResponses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("counts as shipped once its unshipped units are restocked; after restocking returned units, the rest still has to ship", async () => {
    const placed = await placePaid();
    await ship(placed, { lines: units(2) });
    expect((await restock(placed, 1)).status).toBe(200);
    expect(await readOrder(placed)).toMatchObject({ status: "shipped", items: [{ toShip: 0, returned: 1 }] });

    const other = await placePaid();
    await ship(other, { lines: units(2) });
    await shop.database.db.execute(sql`insert into order_returns (id, order_id, kind, status, requested_at)
      values (${randomUUID()}, ${other.id}, 'return', 'approved', now())`);
    await restock(other, 2);
    expect(await readOrder(other)).toMatchObject({
      status: "completed",
      items: [{ toShip: 1, returned: 2 }],
    });
  });

  test("never ships restocked units: the database refuses it, too", async () => {
    const placed = await placePaid();
    await restock(placed, 1);
    const { db } = shop.database;
    const [id, orderId] = [randomUUID(), placed.id];
    const tooMany = db.transaction(async (tx) => {
      await tx.insert(shipments).values({ id, orderId, number: 1, carrier: "UPS", shippedAt: new Date() });
      await tx.insert(shipmentLines).values({ shipmentId: id, orderId, productId: 1, quantity: 3 });
    });
    await expect(tooMany).rejects.toMatchObject({ cause: { constraint: "order_lines_shipped" } });
    await ship(placed, { lines: units(1) });
    const cancel = db.update(orders).set({ cancelledAt: new Date() }).where(eq(orders.id, orderId));
    await expect(cancel).rejects.toMatchObject({
      cause: { constraint: "orders_cancelled_never_ships_in_part" },
    });
  });

  test("has parcels whose units add up to those not restocked, after any sequence of shipping, restocking and undoing", async () => {
    const [many, few] = [fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 })];
    const step = fc.oneof(
      fc.record({ kind: fc.constant("ship" as const), quantity: many }),
      fc.record({ kind: fc.constant("restock" as const), quantity: few }),
      fc.record({ kind: fc.constant("undo" as const), quantity: fc.constant(0) }),
    );
    const anyOrder = fc.record({
      ordered: fc.integer({ min: 1, max: 6 }),
      steps: fc.array(step, { minLength: 2, maxLength: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(anyOrder, async ({ ordered, steps }) => {
        const placed = await placePaid(ordered);
        const parcels: { shipmentId: string; quantity: number }[] = [];
        let [restocked, shipped, unshipped] = [0, 0, 0];
        for (const { kind, quantity } of steps) {
          const toShip = ordered - shipped - unshipped;
          if (kind === "ship") {
            const shipmentId = randomUUID();
            const { status } = await ship(placed, { lines: units(quantity), email: false, shipmentId });
            const isPossible = quantity <= toShip && restocked < ordered;
            expect(status).toBe(isPossible ? 200 : 409);
            if (!isPossible) continue;
            parcels.push({ shipmentId, quantity });
            shipped += quantity;
          } else if (kind === "restock") {
            const isPossible = restocked + quantity <= ordered;
            expect((await restock(placed, quantity)).status).toBe(isPossible ? 200 : 422);
            if (!isPossible) continue;
            restocked += quantity;
            unshipped += Math.min(quantity, toShip);
          } else {
            const parcel = parcels.pop();
            if (!parcel) continue;
            const undone = await owner.post(path(placed, `/shipments/${parcel.shipmentId}/undo`));
            expect(undone.status).toBe(200);
            shipped -= parcel.quantity;
            unshipped = Math.max(unshipped, Math.min(restocked, ordered - shipped));
          }
        }
        const { items, fulfilment } = await readOrder(placed);
        const toShip = ordered - shipped - unshipped;
        expect(items).toMatchObject([{ toShip, returned: restocked }]);
        expect(fulfilment !== null).toBe(shipped > 0 && toShip === 0);
        const [line] = await shop.database.db
          .select()
          .from(orderLines)
          .where(eq(orderLines.orderId, placed.id));
        expect(line?.shippedQuantity).toBe(shipped);
        expect(await findRuleViolations(shop.database.db)).toEqual([]);
      }),
      {
        numRuns: 8,
        examples: [
          [
            {
              ordered: 2,
              steps: [
                { kind: "ship", quantity: 2 },
                { kind: "restock", quantity: 1 },
                { kind: "undo", quantity: 0 },
              ],
            },
          ],
        ],
      },
    );
  });
});

test.each([
  // An approved return: the unit came back from the first parcel.
  ["an approved", "approved", 2],
  // A declined one: the unit was taken out of the second parcel.
  ["a declined", "declined", 1],
] as const)(
  "undoing the second parcel after restocking a unit with %s return leaves the right number of units to ship",
  async (_, status, toShip) => {
    const placed = await placePaid();
    const shipmentId = randomUUID();
    await ship(placed, { lines: units(1), email: false });
    await ship(placed, { shipmentId, email: false });
    const requested = await placed.browser.post(`/api/orders/${placed.id}/return`, { reason: "Too many" });
    const [{ id }] = requested.body.data.returns;
    const decision = { status, answer: "Send it to 5 Palm Street." };
    expect((await send(owner, "PATCH", `/api/admin/returns/${id}`, decision)).status).toBe(200);
    expect((await restock(placed, 1)).status).toBe(200);
    expect((await owner.post(path(placed, `/shipments/${shipmentId}/undo`))).status).toBe(200);
    expect((await readOrder(placed)).items).toMatchObject([{ toShip, returned: 1 }]);
    expect(await findRuleViolations(shop.database.db)).toEqual([]);
  },
);

describe("marking as shipped", () => {
  const undo = (placed: PlacedOrder, id: string) => owner.post(path(placed, `/shipments/${id}/undo`));
  const readShipmentMail = async ({ id }: PlacedOrder) =>
    (await shop.database.db.select().from(messages).where(eq(messages.orderId, id))).filter(
      ({ kind }) => kind === "order_shipped",
    );

  test("can be undone, which deletes its queued e-mail; undoing it twice is accepted", async () => {
    const placed = await placePaid();
    const shipmentId = randomUUID();
    await ship(placed, { canUndo: true, shipmentId });
    expect(await readShipmentMail(placed)).toMatchObject([{ status: "queued" }]);
    const responses = await Promise.all([undo(placed, shipmentId), undo(placed, shipmentId)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses[0]?.body.data).toMatchObject({ mayShip: true, shipments: [] });
    expect(JSON.stringify(responses[0]?.body.data)).not.toContain(placed.email);
    expect(await readShipmentMail(placed)).toEqual([]);
    const orderView = (await placed.browser.get(`/api/orders/${placed.id}`)).body.data;
    expect(orderView).toMatchObject({ status: "completed", fulfilment: null });
    expect(orderTimeline(orderView).map(({ title }) => title)).toEqual([
      "Order placed",
      "Paid",
      "Shipped",
      "Delivered",
    ]);
    expect((await ship(placed)).status).toBe(200);
  });

  test("cannot be undone once the buyer was e-mailed or a later parcel was shipped, nor by other roles", async () => {
    const placed = await placePaid();
    const [first, second] = [randomUUID(), randomUUID()];
    await ship(placed, { lines: units(1), shipmentId: first, email: false });
    await ship(placed, { shipmentId: second });
    await shop.jobsDone();
    expect((await undo(placed, second)).body.message).toContain("the customer has been told");
    expect((await undo(placed, first)).body.message).toContain("Another parcel");
    expect((await shop.browser().post(path(placed, `/shipments/${second}/undo`))).status).toBe(401);
    expect((await undo({ ...placed, id: randomUUID() }, second)).status).toBe(404);
    const partlyShipped = await placePaid();
    await ship(partlyShipped, { lines: units(1), shipmentId: second.replace(/^./, "0"), email: false });
    expect((await undo(partlyShipped, second.replace(/^./, "0"))).status).toBe(200);
    expect((await readOrder(partlyShipped)).may).toMatchObject({ ship: true, cancel: true });
  });

  test("sends the buyer no e-mail if the owner chooses so", async () => {
    const placed = await placePaid();
    await ship(placed, { email: false });
    expect(await readShipmentMail(placed)).toEqual([]);
  });

  test("warns of tracking numbers that were used before", async () => {
    const placed = await placePaid();
    await ship(placed, { carrier: "USPS", trackingNumber: "9400 1112 0108 0805 4830 16" });
    const check = (browser: TestBrowser, numbers: string[]) =>
      browser.post("/api/admin/tracking/check", { numbers });
    expect((await check(owner, ["94001112010808054830-16", "1Z5", ""])).body.data).toEqual([
      { trackingNumber: "94001112010808054830-16", orderId: placed.id, number: placed.number },
    ]);
    expect((await check(shop.browser(), [])).status).toBe(401);
    expect((await check(owner, Array(101).fill("1"))).status).toBe(422);
  });
});

describe("the next order to pack", () => {
  test("is the oldest one waiting, shown without amounts; skipping it shows the next one", async () => {
    const [first, second] = [await placePaid(1), await placePaid(2)];
    const readNext = async (query = "") => (await owner.get(`/api/admin/packing${query}`)).body.data;
    const { waiting, next } = await readNext();
    expect(waiting).toBeGreaterThan(1);
    expect(next).not.toHaveProperty("totals");
    const { next: nextAfterFirst } = await readNext(`?after=${first.id}`);
    expect(nextAfterFirst).toMatchObject({ id: second.id, mayShip: true, items: [{ toShip: 2 }] });
    expect((await readNext(`?after=${second.id}`)).next).toBeNull();
    expect((await owner.get(`/api/admin/packing/${first.id}`)).body.data).toMatchObject({
      number: first.number,
    });
    expect((await owner.get(`/api/admin/packing/${randomUUID()}`)).status).toBe(404);
    expect((await shop.browser().get("/api/admin/packing")).status).toBe(401);
  });

  test("shows its packer that its phone number may be incomplete", async () => {
    const doubt = "This may not be a complete phone number";
    const [doubtful, fine] = [
      await placePaid(1, { phone: "555 0" }),
      await placePaid(1, { phone: "+1 512 555 0100" }),
    ];
    const pageAfter = async (id: string) => (await owner.fetch(`/admin/ship-next?after=${id}`)).text();
    const { next } = (await owner.get("/api/admin/packing")).body.data;
    let before = next.id;
    for (;;) {
      const following = (await owner.get(`/api/admin/packing?after=${before}`)).body.data.next;
      if (following.id === doubtful.id) break;
      before = following.id;
    }
    expect(await pageAfter(before)).toContain(doubt);
    const page = await pageAfter(doubtful.id);
    expect(page).toContain("+1 512 555 0100");
    expect(page).not.toContain(doubt);
    expect((await owner.get(`/api/admin/packing/${fine.id}`)).body.data.phoneDoubt).toBeNull();
  });

  test("is an expedited order, even if others have waited longer", async () => {
    await placePaid(1);
    const expedited = await placePaid(1, { amount: 4490, shippingOption: "us-expedited" });
    const { next } = (await owner.get("/api/admin/packing")).body.data;
    expect(next).toMatchObject({ id: expedited.id, isExpedited: true });
    const [firstRow] = (await owner.get("/api/orders?status=to_ship")).body.data;
    expect(firstRow).toMatchObject({ number: expedited.number, isExpedited: true });
  });
});
