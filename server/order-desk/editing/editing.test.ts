import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { confirm, order } from "../../../test/checkout.ts";
import { keptMail, mailedToken } from "../../../test/kept-mail.ts";
import { type ApiResponse, openTestShop, type TestBrowser, type TestShop } from "../../../test/shop.ts";
import { activity } from "../../admin/tables.ts";
import { linkedOrder, reviewLinkToken } from "../../orders/link-tokens.ts";
import { messages } from "../../outbox/tables.ts";

let shop: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop({ PAYMENTS: "sandbox" });
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

async function placePaid(overrides: Parameters<typeof order>[1] = {}) {
  const browser = shop.browser();
  const checkout = await order(browser, overrides);
  await confirm(browser, checkout);
  await shop.jobsDone();
  return { browser, id: checkout.body.orderId as string, number: checkout.body.orderNumber as number };
}
const send = async (method: string, path: string, body: unknown): Promise<ApiResponse> => {
  const response = await owner.fetch(path, {
    method,
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
};
const readOrder = async (id: string) => (await owner.get(`/api/admin/orders/${id}`)).body.data;
const path = (id: string, call: string) => `/api/admin/orders/${id}/${call}`;
const unknownId = "00000000-0000-4000-8000-000000000000";
const lastSummary = async (id: string) =>
  (
    await shop.database.db
      .select()
      .from(activity)
      .where(eq(activity.subject, `order:${id}`))
  )
    .sort((a, b) => a.id - b.id)
    .at(-1)?.summary;

describe("tags of an order", () => {
  test("can be added and removed by two people at once, and filter the list", async () => {
    const { id, number } = await placePaid({ email: "tags@example.com" });
    await Promise.all([
      send("PATCH", path(id, "tags"), { add: ["Gift wrap"] }),
      send("PATCH", path(id, "tags"), { add: ["wholesale", "gift wrap"] }),
    ]);
    expect((await readOrder(id)).tags).toEqual(["gift wrap", "wholesale"]);
    expect((await owner.get("/api/admin/order-tags")).body.data).toEqual(["gift wrap", "wholesale"]);
    const orderList = (await owner.get("/api/orders?tag=Gift%20Wrap")).body.data;
    expect(orderList.map((row: { number: number }) => row.number)).toEqual([number]);
    expect(orderList[0].tags).toEqual(["gift wrap", "wholesale"]);
    const removal = await send("PATCH", path(id, "tags"), { remove: ["gift wrap"] });
    expect(removal.body.data.tags).toEqual(["wholesale"]);
    expect(await lastSummary(id)).toBe(`Tags of order #${number}: “gift wrap” removed`);
    expect((await owner.get("/api/orders?tag=gift%20wrap")).body.data).toEqual([]);
    const file = await (await owner.fetch("/api/admin/orders.csv?tag=wholesale")).text();
    expect(file).toContain("tags@example.com");
  });

  test("are refused if too long, too many or for an unknown order", async () => {
    const { id } = await placePaid();
    expect((await send("PATCH", path(id, "tags"), { add: ["x".repeat(41)] })).body.fields).toEqual({
      "add.0": "Use at most 40 characters",
    });
    const twentyTags = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    expect((await send("PATCH", path(id, "tags"), { add: twentyTags })).status).toBe(200);
    expect((await send("PATCH", path(id, "tags"), { add: ["one more"] })).status).toBe(409);
    expect((await send("PATCH", path(unknownId, "tags"), { add: ["a"] })).status).toBe(404);
    expect((await shop.browser().get("/api/admin/order-tags")).status).toBe(401);
  });
});

describe("a hold on an order", () => {
  test("prevents shipping until it is released, unless a reason for shipping is given", async () => {
    const { id, number } = await placePaid();
    const response = await send("POST", path(id, "hold"), { held: true, reason: "Asks for a later date" });
    expect(response.body.data).toMatchObject({
      hold: { since: expect.any(String), reason: "Asks for a later date" },
      shipHold: "owner",
    });
    const numbers = async (status: string) =>
      (await owner.get(`/api/orders?status=${status}`)).body.data.map(
        (row: { number: number }) => row.number,
      );
    expect(await numbers("to_ship")).not.toContain(number);
    expect(await numbers("on_hold")).toContain(number);
    const parcel = { carrier: "UPS", trackingNumber: "1Z999AA10123456784" };
    const refused = await owner.post(path(id, "ship"), parcel);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      "This order is on hold. To ship it anyway, give a reason.",
    ]);
    const release = await send("POST", path(id, "hold"), { held: false });
    expect(release.body.data).toMatchObject({ hold: null, shipHold: null });
    expect(await numbers("to_ship")).toContain(number);
    await send("POST", path(id, "hold"), { held: true });
    const shipResponse = await owner.post(path(id, "ship"), {
      ...parcel,
      force: true,
      reason: "They called",
    });
    expect(shipResponse.status).toBe(200);
    expect(await lastSummary(id)).toContain("although it is on hold: They called");
    const lateHold = await send("POST", path(id, "hold"), { held: true });
    expect(lateHold.status).toBe(409);
  });

  test("is refused for an unpaid or unknown order, or with too long a reason", async () => {
    const { body } = await order(shop.browser());
    expect((await send("POST", path(body.orderId, "hold"), { held: true })).status).toBe(409);
    const long = await send("POST", path(body.orderId, "hold"), { held: true, reason: "x".repeat(201) });
    expect(Object.keys(long.body.fields)).toEqual(["reason"]);
    expect((await send("POST", path(unknownId, "hold"), { held: true })).status).toBe(404);
  });
});

describe("the contact details of an order", () => {
  const readContact = async (id: string) => {
    const { customerName, email, phone, shipping, contactVersion } = await readOrder(id);
    return { customerName, email, phone: phone ?? "", shipping, version: contactVersion };
  };
  const readChangeMail = async (id: string) => {
    await shop.jobsDone();
    const rows = await shop.database.db.select().from(messages).where(eq(messages.orderId, id));
    return rows.filter(({ kind, data }) => kind === "address_changed" || data?.by === "shop");
  };

  test("can be corrected by the owner once the order is paid, without overwriting another person's change", async () => {
    const { id, number } = await placePaid({ email: "typo@example.com" });
    const before = await readContact(id);
    const change = { ...before, email: "right@example.com", phone: "512 555 0144" };
    const [first, second] = await Promise.all([
      send("PATCH", path(id, "contact"), change),
      send("PATCH", path(id, "contact"), { ...before, customerName: "Ada O." }),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    const { current } = first.status === 409 ? first.body : second.body;
    expect(current.id).toBe(id);
    const saveResponse = await send("PATCH", path(id, "contact"), {
      ...change,
      customerName: "Ada Obi",
      version: (await readContact(id)).version,
    });
    expect(saveResponse.body.data).toMatchObject({ email: "right@example.com", phone: "512 555 0144" });
    expect((await send("PATCH", path(id, "contact"), { ...change, customerName: "Ada Obi" })).status).toBe(
      200,
    );
    const mail = await readChangeMail(id);
    expect(mail.map(({ recipient }) => recipient)).toEqual(
      expect.arrayContaining(["typo@example.com", "right@example.com"]),
    );
    expect(mail.find(({ subject }) => subject?.startsWith("We changed"))?.subject).toBe(
      `We changed the details of order #${number}`,
    );
    // The former address is notified, without a link to the order.
    const formerMail = mail.filter(({ data }) => data?.former === "yes");
    expect(formerMail).toMatchObject([
      {
        recipient: "typo@example.com",
        text: expect.stringContaining("From now on we’ll use a different email address"),
      },
    ]);
    expect(formerMail[0]?.text).not.toContain("token=");
  });

  test("when corrected by the owner, end the links mailed to the former e-mail address, and the access of browsers that used them", async () => {
    const { browser, id } = await placePaid({ email: "mistyped@example.com" });
    const stranger = shop.browser();
    await stranger.post("/api/orders/find", { email: "mistyped@example.com" });
    await stranger.post("/api/orders/find/use", {
      token: await mailedToken(shop, "mistyped@example.com", "order_lookup"),
    });
    const tokenIn = (email: string, kind: string) =>
      /token=([\w.-]+)/.exec(keptMail(shop, email, kind).at(-1) ?? "")?.[1] ?? "";
    const formerToken = tokenIn("mistyped@example.com", "order_confirmation");
    const open = async (token: string) =>
      (await shop.browser().get(`/api/orders/${id}/again?token=${token}`)).status;
    expect([await open(formerToken), (await stranger.get(`/api/orders/${id}`)).status]).toEqual([200, 200]);
    // Another correction ends no link, and neither does one of capitals.
    const respelled = { email: "Mistyped@example.com", phone: "512 555 0155" };
    const saved = await send("PATCH", path(id, "contact"), { ...(await readContact(id)), ...respelled });
    expect(saved.body.data.email).toBe("Mistyped@example.com");
    expect([await open(formerToken), (await stranger.get(`/api/orders/${id}`)).status]).toEqual([200, 200]);
    const corrected = { ...(await readContact(id)), email: "corrected@example.com" };
    expect((await send("PATCH", path(id, "contact"), corrected)).status).toBe(200);
    expect([await open(formerToken), (await stranger.get(`/api/orders/${id}`)).status]).toEqual([404, 404]);
    await shop.jobsDone();
    expect(await open(tokenIn("corrected@example.com", "address_changed"))).toBe(200);
    expect((await browser.get(`/api/orders/${id}`)).status).toBe(200);
  });

  test("when corrected, send the payment link of a waiting edit to the new e-mail address", async () => {
    const { id } = await placePaid({ email: "typo@example.com" });
    const add = [{ productId: 1, quantity: 1 }];
    const { version, difference } = (await owner.post(path(id, "items/preview"), { add })).body.data;
    const saved = await owner.post(path(id, "items"), { add, version, difference, email: true });
    const editId: string = saved.body.data.changes[0].id;
    const openMailed = async (email: string) => {
      await shop.jobsDone();
      const token = /token=([\w.-]+)/.exec(keptMail(shop, email, "items_to_pay").at(-1) ?? "")?.[1] ?? "";
      return shop.browser().post(`/api/pay-change/${editId}`, { token });
    };
    const first = await openMailed("typo@example.com");
    expect(first.status).toBe(200);
    await send("PATCH", path(id, "contact"), { ...(await readContact(id)), email: "right@example.com" });
    expect((await openMailed("typo@example.com")).status).toBe(404);
    const second = await openMailed("right@example.com");
    expect(second.status).toBe(200);
    // The page opened before would lead back to the link that has ended.
    expect(second.body.data.url).not.toBe(first.body.data.url);
  });

  test("can be corrected for a replacement and for an exchange that waits, whose e-mail is then sent again", async () => {
    const { id } = await placePaid({ email: "first@example.com", quantity: 2 });
    const items = [{ productId: 1, quantity: 1 }];
    const replacement = await owner.post(path(id, "replacement"), { items, reason: "lost", note: null });
    const exchange = await owner.post(path(id, "exchange"), { items, returned: items });
    expect([replacement.status, exchange.status]).toEqual([201, 201]);
    await shop.jobsDone();
    const correct = async (newId: string, moved: object) => {
      const { shipping, ...contact } = await readContact(newId);
      const change = { ...contact, email: "second@example.com", shipping: { ...shipping, ...moved } };
      return (await send("PATCH", path(newId, "contact"), change)).status;
    };
    expect(await correct(replacement.body.id, { line1: "2 Oak St" })).toBe(200);
    // Its tax belongs to its address while it waits.
    expect(await correct(exchange.body.orderId, { line1: "2 Oak St" })).toBe(409);
    expect(await correct(exchange.body.orderId, {})).toBe(200);
    await shop.jobsDone();
    expect(keptMail(shop, "second@example.com", "exchange_begun")).toHaveLength(1);
  });

  test("when corrected, keep the order's token out of e-mails sent again to the former address, and invalidate their review links", async () => {
    const { id } = await placePaid({ email: "wrong@example.com" });
    await owner.post(path(id, "ship"), { carrier: "UPS", trackingNumber: "1Z999AA10123456784" });
    await owner.post(path(id, "deliver"), {});
    await shop.jobsDone();
    const review = reviewLinkToken(shop.ctx.secret, { order: { id, events: [] }, productId: 1 }, new Date());
    expect(await shop.shop.reviewInvitation(review)).not.toBeNull();
    await send("PATCH", path(id, "contact"), { ...(await readContact(id)), email: "amended@example.com" });
    expect(await shop.shop.reviewInvitation(review)).toBeNull();
    const order = await linkedOrder(shop.database.db, id);
    const newReview = reviewLinkToken(shop.ctx.secret, { order, productId: 1 }, new Date());
    expect(await shop.shop.reviewInvitation(newReview)).not.toBeNull();
    const sent = await shop.database.db.select().from(messages).where(eq(messages.orderId, id));
    for (const kind of ["order_shipped", "order_delivered", "order_confirmation"]) {
      const message = sent.find((row) => row.kind === kind);
      expect((await owner.post(`/api/admin/outbox/${message?.id}/resend`, {})).status).toBe(202);
    }
    await shop.jobsDone();
    for (const kind of ["order_shipped", "order_delivered"]) {
      const mail = keptMail(shop, "wrong@example.com", kind).at(-1);
      expect(mail).toContain(`/orders/${id}`);
      expect(mail).not.toContain("token=");
    }
    expect(keptMail(shop, "amended@example.com", "order_confirmation").at(-1)).toContain("token=");
  });

  test("can be changed to an address with different costs only if the owner waives the difference, and never after the first parcel", async () => {
    const { id } = await placePaid();
    const before = await readContact(id);
    const lyon = { line1: "1 Rue A", line2: "", city: "Lyon", state: "", postalCode: "69001", country: "FR" };
    const refused = await send("PATCH", path(id, "contact"), { ...before, shipping: lyon });
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { waiveDifference: "Shipping or tax would cost a different amount there." },
    ]);
    const moveResponse = await send("PATCH", path(id, "contact"), {
      ...before,
      shipping: lyon,
      waiveDifference: true,
    });
    expect(moveResponse.body.data).toMatchObject({
      shipping: { city: "Lyon" },
      shippingAddress: expect.stringContaining("France"),
      totals: { total: 3590 },
    });
    await owner.post(path(id, "ship"), { carrier: "UPS", trackingNumber: "1Z999AA10123456784" });
    const after = await readContact(id);
    const lateMove = await send("PATCH", path(id, "contact"), { ...after, shipping: before.shipping });
    expect(lateMove.status).toBe(409);
    const phone = await send("PATCH", path(id, "contact"), { ...after, phone: "512 555 0199" });
    expect(phone.status).toBe(200);
  });

  test.each([
    [{ email: "not an address" }, "email"],
    [{ customerName: " " }, "customerName"],
    [{ shipping: { line1: "", city: "", state: "", postalCode: "", country: "US" } }, "shipping.line1"],
  ])("are refused with %j", async (invalid, field) => {
    const { id } = await placePaid();
    const response = await send("PATCH", path(id, "contact"), { ...(await readContact(id)), ...invalid });
    expect([response.status, Object.keys(response.body.fields)]).toEqual([
      422,
      expect.arrayContaining([field]),
    ]);
  });

  test("cannot be changed while the order is unpaid; for an unknown order, the response is 404", async () => {
    const { body } = await order(shop.browser());
    const contact = await readContact(body.orderId);
    const changedContact = { ...contact, phone: "512 555 0100" };
    expect((await send("PATCH", path(body.orderId, "contact"), changedContact)).status).toBe(409);
    expect((await send("PATCH", path(unknownId, "contact"), changedContact)).status).toBe(404);
  });
});
