import { once } from "node:events";
import { request } from "node:https";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { type FakePhone, type FakePush, startFakePush } from "../../test/fake-push.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { setAccessCode } from "../admin/access.ts";
import { raiseDispute } from "../disputes/raise.ts";
import { enqueueOrderPaid } from "../orders/mail.ts";
import { orders } from "../orders/tables.ts";
import { isPublicAddress, publicLookup } from "../platform/http/public-lookup.ts";
import { notifyDevices } from "./notify.ts";
import { pushDevices } from "./tables.ts";

const path = "/api/admin/account/devices";

let shop: TestShop;
let push: FakePush;
let owner: TestBrowser;
beforeAll(async () => {
  push = await startFakePush();
  shop = await openTestShop({ ...push.env, OWNER_EMAIL: "Ada <ada@palmira.example>" });
  owner = await adminBrowser(shop);
});
beforeEach(() => shop.database.db.delete(pushDevices));
afterAll(async () => {
  await shop.stop();
  await push.close();
});

let count = 0;
async function joinAs(role: string) {
  count += 1;
  const body = { name: `Person ${count}`, email: `push-${count}@example.com`, role };
  const { person, link } = (await owner.post("/api/admin/people", body)).body.data;
  const browser = shop.browser();
  await browser.post("/api/admin/invitation", { token: new URL(link).searchParams.get("token") });
  return { browser, id: person.id as string };
}

async function turnOn(browser: TestBrowser, wants: string[] = ["order"], phone = push.phone()) {
  const answer = await browser.post(path, { subscription: phone.subscription, wants });
  expect([answer.status, answer.body]).toMatchObject([201, { success: true }]);
  return { phone, id: answer.body.data.id as string };
}
const listed = async (browser: TestBrowser) => (await browser.get(path)).body.data.devices;

/** Books a payment as the shop does. */
async function payOrder(): Promise<{ id: string; number: number }> {
  const id = await insertPaidOrder(shop.database.db);
  await shop.database.db.transaction((tx) => enqueueOrderPaid(shop.ctx, tx, id));
  await shop.jobsDone();
  const [order] = await shop.database.db
    .select({ number: orders.number })
    .from(orders)
    .where(eq(orders.id, id));
  return { id, number: order?.number ?? 0 };
}
/** Does now what a worker would do later. */
const runNow = (payload: unknown, isLastAttempt = false) =>
  shop.tasks
    .find(({ job }) => job.name === "notify_device")
    ?.run(payload, { attempt: 2, isLastAttempt, signal: new AbortController().signal });
const bodies = ({ received }: FakePhone) => received.map(({ notice }) => notice.body);

describe("a new order", () => {
  test("is told to each device once, encrypted for it and signed by the shop, with nothing of the buyer", async () => {
    const [first, second] = [await turnOn(owner), await turnOn(owner)];
    const { id, number } = await payOrder();
    for (const { phone } of [first, second]) {
      expect(phone.received).toHaveLength(1);
      const [told] = phone.received;
      expect(told?.notice).toEqual({
        title: "New order",
        body: `#${number} · $35.90 · 1 item`,
        path: `/admin/orders/${id}`,
        tag: `order:${id}`,
      });
      expect(told?.claims).toMatchObject({
        aud: "https://push.browser-maker.com",
        sub: "mailto:ada@palmira.example",
      });
      expect(told?.publicKey).toBe((await owner.get(path)).body.data.publicKey);
      expect(told?.topic).toMatch(/^[\w-]{1,32}$/);
    }
    expect(await listed(owner)).toMatchObject([
      { problem: null, lastDeliveredAt: expect.any(String) },
      { problem: null, lastDeliveredAt: expect.any(String) },
    ]);

    // A worker that died before it could say that it was done.
    await shop.database.db.transaction((tx) => notifyDevices(tx, "order", id));
    await shop.jobsDone();
    expect(first.phone.received).toHaveLength(1);
  });

  test("shows packers no amount, and what a role may not see is not told to it", async () => {
    const packer = await joinAs("packer");
    const refused = await packer.browser.post(path, {
      subscription: push.phone().subscription,
      wants: ["message"],
    });
    expect([refused.status, refused.body.fields]).toEqual([422, { wants: expect.any(String) }]);
    const { phone } = await turnOn(packer.browser);
    const { number } = await payOrder();
    expect(bodies(phone)).toEqual([`#${number} · 1 item`]);
    expect((await packer.browser.get(path)).body.data).toMatchObject({
      offered: ["order"],
      devices: [{ wants: ["order"], isOwn: true }],
    });
  });

  test("follows the role of its person, and ends with the account", async () => {
    const person = await joinAs("staff");
    const { phone, id } = await turnOn(person.browser, ["order", "dispute"]);
    await send(owner, "PATCH", `/api/admin/people/${person.id}`, { role: "packer" });
    const order = await payOrder();
    await shop.database.db.transaction((tx) => notifyDevices(tx, "dispute", order.id));
    await shop.jobsDone();
    expect(bodies(phone)).toEqual([`#${order.number} · 1 item`]);
    expect(await listed(owner)).toMatchObject([{ id, isOwn: false, person: { id: person.id } }]);
    await send(owner, "PATCH", `/api/admin/people/${person.id}`, { active: false });
    expect(await listed(owner)).toEqual([]);
    await payOrder();
    expect(phone.received).toHaveLength(1);
  });
});

test("messages, return requests and disputes are told to those who want them", async () => {
  const { phone: all } = await turnOn(owner, ["message", "return", "dispute"]);
  const { phone: orderOnly } = await turnOn(owner);
  const contact = { name: "Bo", email: "bo@example.com", subject: "order", message: "Where is it?" };
  const sent = await shop.browser().post("/api/contact", contact);
  const id = await insertPaidOrder(shop.database.db);
  const dispute = { kind: "dispute" as const, subject: "dp_1", orderId: id, message: "A dispute" };
  await shop.database.db.transaction((tx) => raiseDispute(tx, dispute));
  await shop.database.db.transaction((tx) => raiseDispute(tx, dispute));
  await shop.jobsDone();
  await shop.database.db.transaction((tx) => notifyDevices(tx, "return", id));
  await shop.jobsDone();
  const { id: messageId, reference } = sent.body.data;
  const told = all.received.map(({ notice }) => [notice.title, notice.path]);
  expect(told.sort()).toEqual([
    ["Dispute", `/admin/orders/${id}`],
    ["New message", `/admin/messages/${messageId}`],
    ["Return requested", `/admin/orders/${id}`],
  ]);
  expect(bodies(all)).toContain(`${reference} · Order Question`);
  expect(JSON.stringify(all.received.map(({ notice }) => notice))).not.toMatch(
    /Bo\b|bo@example|Where is it|Ada Obi/,
  );
  expect(orderOnly.received).toEqual([]);
});

describe("a push service", () => {
  test("that says a browser is gone ends its notifications, and holds up no other", async () => {
    const { phone: dead } = await turnOn(owner);
    const { phone: live, id } = await turnOn(owner);
    push.next.set(dead, [410]);
    await payOrder();
    expect(live.received).toHaveLength(1);
    expect(await listed(owner)).toMatchObject([{ id }]);
  });

  test("that is away is asked again, and one that asks to wait is waited for", async () => {
    const { phone: away } = await turnOn(owner);
    const { phone: busy } = await turnOn(owner);
    push.next.set(away, [503]);
    push.next.set(busy, [{ status: 429, retryAfter: "600" }]);
    const { number } = await payOrder();
    expect([away, busy].flatMap(bodies)).toEqual([]);
    const { rows } = await shop.database.pool.query(
      `select payload, extract(epoch from run_at - now())::int as s, last_error from graphile_worker._private_jobs
      where payload ->> 'deviceId' is not null order by run_at`,
    );
    const [failed, waits] = rows;
    expect(failed.last_error).toContain("503");
    expect(waits).toMatchObject({ last_error: null, payload: { waits: 1 } });
    expect(waits.s).toBeGreaterThan(500);
    for (const { payload } of rows) await runNow(payload);
    expect([away, busy].map(bodies)).toEqual(Array(2).fill([`#${number} · $35.90 · 1 item`]));
    await shop.database.pool.query(
      "select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs",
    );
  });

  test("that is silent keeps one worker waiting, and not one for every order", async () => {
    const { phone, id } = await turnOn(owner);
    const { id: subject } = await payOrder();
    await shop.database.db.update(pushDevices).set({ lastEvent: null });
    push.next.set(phone, ["hang"]);
    const { timeout } = AbortSignal;
    const patience = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 100));
    const tell = () => runNow({ deviceId: id, event: "order", subject });
    await expect(tell()).rejects.toThrow("no answer within 10 seconds");
    await expect(tell()).rejects.toThrow("did not answer a moment ago");
    patience.mockRestore();
    expect(phone.received).toHaveLength(1);
    // Somebody who asks for a test waits for it, and it tells that the service is back.
    expect((await owner.post(`${path}/${id}/test`)).status).toBe(200);
    await tell();
    expect(phone.received.map(({ notice }) => notice.title)).toEqual(["New order", "It works", "New order"]);
  });

  test("is not asked with keys of a browser that are none", async () => {
    const { phone, id } = await turnOn(owner);
    await shop.database.db.update(pushDevices).set({ p256dh: `B${"A".repeat(86)}` });
    expect((await owner.post(`${path}/${id}/test`)).status).toBe(409);
    expect(phone.received).toEqual([]);
  });

  test("that stays away until the last try leaves its words at the device, and no failed job", async () => {
    const { phone, id } = await turnOn(owner, []);
    push.next.set(phone, [502]);
    await shop.database.db.update(pushDevices).set({ wants: ["order"] });
    const subject = await insertPaidOrder(shop.database.db);
    await runNow({ deviceId: id, event: "order", subject }, true);
    expect(await listed(owner)).toMatchObject([{ problem: expect.stringContaining("502") }]);
  });

  test("that refuses is not asked again, and the device says why until one goes through", async () => {
    const { phone, id } = await turnOn(owner);
    push.next.set(phone, [403]);
    await payOrder();
    expect(await listed(owner)).toMatchObject([
      { problem: expect.stringContaining("403"), lastDeliveredAt: null },
    ]);
    expect((await owner.post(`${path}/${id}/test`)).status).toBe(200);
    expect(phone.received.map(({ notice }) => notice.tag)).toEqual(["test"]);
    expect(await listed(owner)).toMatchObject([{ problem: null }]);
  });
});

describe("a device", () => {
  test("is tried, and says what went wrong", async () => {
    const { phone, id } = await turnOn(owner);
    push.next.set(phone, [500, 400, 404]);
    const tries = [];
    for (let i = 0; i < 4; i += 1) tries.push((await owner.post(`${path}/${id}/test`)).status);
    expect(tries).toEqual([502, 409, 409, 404]);
    expect(phone.received).toEqual([]);
  });

  test("is refused beside ten others of the same person", async () => {
    for (let i = 0; i < 10; i += 1) await turnOn(owner);
    const body = { subscription: push.phone().subscription, wants: ["order"] };
    expect((await owner.post(path, body)).status).toBe(409);
    expect(await listed(owner)).toHaveLength(10);
  });

  test("is one's own: others neither see, change nor try it, and the owner may remove it", async () => {
    const [ana, bea] = [await joinAs("staff"), await joinAs("staff")];
    const { id } = await turnOn(ana.browser);
    expect(await listed(bea.browser)).toEqual([]);
    expect((await bea.browser.post(`${path}/${id}/test`)).status).toBe(404);
    expect((await send(bea.browser, "PATCH", `${path}/${id}`, { wants: [] })).status).toBe(404);
    expect((await send(bea.browser, "DELETE", `${path}/${id}`)).status).toBe(404);
    expect((await send(owner, "PATCH", `${path}/${id}`, { wants: [] })).status).toBe(404);
    expect((await send(ana.browser, "PATCH", `${path}/${id}`, { wants: ["return"] })).status).toBe(200);
    expect(await listed(ana.browser)).toMatchObject([{ wants: ["return"] }]);
    expect((await send(owner, "DELETE", `${path}/${id}`)).status).toBe(200);
    expect((await send(ana.browser, "DELETE", `${path}/${id}`)).status).toBe(404);
    expect((await shop.browser().get(path)).status).toBe(401);
  });

  test("goes to whoever turns it on last, keeps its row with a new address, and stays removed once it was", async () => {
    const ana = await joinAs("staff");
    const { phone, id } = await turnOn(ana.browser);
    await turnOn(owner, ["order"], phone);
    expect(await listed(ana.browser)).toEqual([]);
    const [own] = await listed(owner);
    expect(own).toMatchObject({ id, isOwn: true, person: null });
    const other = push.phone();
    expect((await send(owner, "PUT", `${path}/${id}`, other.subscription)).status).toBe(200);
    await payOrder();
    expect([phone.received.length, other.received.length]).toEqual([0, 1]);
    await send(owner, "DELETE", `${path}/${id}`);
    expect((await send(owner, "PUT", `${path}/${id}`, other.subscription)).status).toBe(404);
    expect(await listed(owner)).toEqual([]);
  });

  test("ends with its session where somebody ends that, not where the session runs out", async () => {
    const ana = await joinAs("staff");
    const kept = await turnOn(ana.browser);
    shop.travel(13 * 60 * 60 * 1000);
    owner = await adminBrowser(shop);
    expect((await ana.browser.get(path)).status).toBe(401);
    expect(await listed(owner)).toMatchObject([{ id: kept.id }]);

    const laptop = await adminBrowser(shop);
    await turnOn(laptop);
    await laptop.post("/api/admin/logout");
    const phone = await adminBrowser(shop);
    const own = await turnOn(phone);
    expect((await listed(owner)).map(({ id }: { id: string }) => id).sort()).toEqual(
      [kept.id, own.id].sort(),
    );
    await send(phone, "DELETE", "/api/admin/sessions");
    owner = phone;
    expect(await listed(owner)).toMatchObject([{ id: own.id }]);
    await setAccessCode(shop.database.db, "open-sesame-1234");
    owner = await adminBrowser(shop);
    expect(await listed(owner)).toEqual([]);
  });

  test("has an address of a public push service, and keys of the right length", async () => {
    const { keys } = push.phone().subscription;
    const refusals = [
      "http://push.example.com/x",
      "https://127.0.0.1/x",
      "https://[::1]/x",
      "https://localhost/x",
      "https://push.example.com:8443/x",
      "https://me@push.example.com/x",
      "https://database.internal/x",
      "https://2130706433/x",
      "nothing",
    ].map((endpoint) => ({ endpoint, keys }));
    const endpoint = "https://push.example.com/x";
    const shortKeys = { ...keys, auth: "AAAA" };
    for (const subscription of [...refusals, { endpoint, keys: shortKeys }, { endpoint }]) {
      const answer = await owner.post(path, { subscription, wants: ["order"] });
      expect([subscription, answer.status]).toEqual([subscription, 422]);
    }
    expect(await listed(owner)).toEqual([]);
  });
});

test("addresses that lead into the shop’s own network are told from public ones, and not connected to", async () => {
  const inside = [
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
  ];
  const inside6 = ["::1", "::", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"];
  for (const address of [...inside, ...inside6])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  const outside = [
    "142.250.74.106",
    "17.57.144.10",
    "172.32.0.1",
    "2a00:1450:4001:82f::200a",
    "2607:f8b0::1",
  ];
  for (const address of outside) expect([address, isPublicAddress(address)]).toEqual([address, true]);
  const call = request("https://localhost:9/", { lookup: publicLookup }).end();
  const [error] = await once(call, "error");
  expect(error.message).toBe("localhost does not lead to a public address");
});
