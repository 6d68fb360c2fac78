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

let people = 0;
async function joinAs(role: string) {
  people += 1;
  const body = { name: `Person ${people}`, email: `push-${people}@example.com`, role };
  const { person, link } = (await owner.post("/api/admin/people", body)).body.data;
  const browser = shop.browser();
  await browser.post("/api/admin/invitation", { token: new URL(link).searchParams.get("token") });
  return { browser, id: person.id as string };
}

async function turnOnNotifications(browser: TestBrowser, wants: string[] = ["order"], phone = push.phone()) {
  const response = await browser.post(path, { subscription: phone.subscription, wants });
  expect([response.status, response.body]).toMatchObject([201, { success: true }]);
  return { phone, id: response.body.data.id as string };
}
const fetchDevices = async (browser: TestBrowser) => (await browser.get(path)).body.data.devices;

/** Inserts a paid order and queues its e-mails and notifications. */
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
/** Runs the `notify_device` job directly, without a worker. */
const runNow = (payload: unknown, isLastAttempt = false) =>
  shop.tasks
    .find(({ job }) => job.name === "notify_device")
    ?.run(payload, { attempt: 2, isLastAttempt, signal: new AbortController().signal });
const noticeBodies = ({ received }: FakePhone) => received.map(({ notice }) => notice.body);

describe("the notification of a new order", () => {
  test("is sent once to each device, encrypted and signed, without data of the buyer", async () => {
    const [first, second] = [await turnOnNotifications(owner), await turnOnNotifications(owner)];
    const { id, number } = await payOrder();
    for (const { phone } of [first, second]) {
      expect(phone.received).toHaveLength(1);
      const [delivery] = phone.received;
      expect(delivery?.notice).toEqual({
        title: "New order",
        body: `#${number} · $35.90 · 1 item`,
        path: `/admin/orders/${id}`,
        tag: `order:${id}`,
      });
      expect(delivery?.claims).toMatchObject({
        aud: "https://push.browser-maker.com",
        sub: "mailto:ada@palmira.example",
      });
      expect(delivery?.publicKey).toBe((await owner.get(path)).body.data.publicKey);
      expect(delivery?.topic).toMatch(/^[\w-]{1,32}$/);
    }
    expect(await fetchDevices(owner)).toMatchObject([
      { problem: null, lastDeliveredAt: expect.any(String) },
      { problem: null, lastDeliveredAt: expect.any(String) },
    ]);

    // As after a worker that died before it completed the job: the notification is queued again.
    await shop.database.db.transaction((tx) => notifyDevices(tx, "order", id));
    await shop.jobsDone();
    expect(first.phone.received).toHaveLength(1);
  });

  test("has no amount for packers, and a role cannot choose events that it may not see", async () => {
    const packer = await joinAs("packer");
    const refused = await packer.browser.post(path, {
      subscription: push.phone().subscription,
      wants: ["message"],
    });
    expect([refused.status, refused.body.fields]).toEqual([422, { wants: expect.any(String) }]);
    const { phone } = await turnOnNotifications(packer.browser);
    const { number } = await payOrder();
    expect(noticeBodies(phone)).toEqual([`#${number} · 1 item`]);
    const [session] = (await packer.browser.get("/api/admin/sessions")).body.data;
    expect((await packer.browser.get(path)).body.data).toMatchObject({
      offered: ["order"],
      devices: [{ wants: ["order"], isOwn: true, sessionId: session.id }],
    });
  });

  test("is sent according to the person's current role, and no longer once the account is deactivated", async () => {
    const person = await joinAs("staff");
    const { phone, id } = await turnOnNotifications(person.browser, ["order", "dispute"]);
    await send(owner, "PATCH", `/api/admin/people/${person.id}`, { role: "packer" });
    const order = await payOrder();
    await shop.database.db.transaction((tx) => notifyDevices(tx, "dispute", order.id));
    await shop.jobsDone();
    expect(noticeBodies(phone)).toEqual([`#${order.number} · 1 item`]);
    expect(await fetchDevices(owner)).toMatchObject([{ id, isOwn: false, person: { id: person.id } }]);
    await send(owner, "PATCH", `/api/admin/people/${person.id}`, { active: false });
    expect(await fetchDevices(owner)).toEqual([]);
    await payOrder();
    expect(phone.received).toHaveLength(1);
  });
});

test("messages, return requests and disputes are sent to devices that chose them", async () => {
  const { phone: chosenPhone } = await turnOnNotifications(owner, ["message", "return", "dispute"]);
  const { phone: orderPhone } = await turnOnNotifications(owner);
  const contact = { name: "Bo", email: "bo@example.com", subject: "order", message: "Where is it?" };
  const contactResponse = await shop.browser().post("/api/contact", contact);
  const id = await insertPaidOrder(shop.database.db);
  const dispute = { kind: "dispute" as const, subject: "dp_1", orderId: id, message: "A dispute" };
  await shop.database.db.transaction((tx) => raiseDispute(tx, dispute));
  await shop.database.db.transaction((tx) => raiseDispute(tx, dispute));
  await shop.jobsDone();
  await shop.database.db.transaction((tx) => notifyDevices(tx, "return", id));
  await shop.jobsDone();
  const { id: messageId, reference } = contactResponse.body.data;
  const notices = chosenPhone.received.map(({ notice }) => [notice.title, notice.path]);
  expect(notices.sort()).toEqual([
    ["Dispute", `/admin/orders/${id}`],
    ["New message", `/admin/messages/${messageId}`],
    ["Return requested", `/admin/orders/${id}`],
  ]);
  expect(noticeBodies(chosenPhone)).toContain(`${reference} · Order Question`);
  expect(JSON.stringify(chosenPhone.received.map(({ notice }) => notice))).not.toMatch(
    /Bo\b|bo@example|Where is it|Ada Obi/,
  );
  expect(orderPhone.received).toEqual([]);
});

describe("a push service", () => {
  test("has its device removed after a response 410, and other devices are notified", async () => {
    const { phone: gonePhone } = await turnOnNotifications(owner);
    const { phone: otherPhone, id } = await turnOnNotifications(owner);
    push.next.set(gonePhone, [410]);
    await payOrder();
    expect(otherPhone.received).toHaveLength(1);
    expect(await fetchDevices(owner)).toMatchObject([{ id }]);
  });

  test("is tried again after a response 503, and Retry-After postpones the notification", async () => {
    const { phone: unavailablePhone } = await turnOnNotifications(owner);
    const { phone: busyPhone } = await turnOnNotifications(owner);
    push.next.set(unavailablePhone, [503]);
    push.next.set(busyPhone, [{ status: 429, retryAfter: "600" }]);
    const { number } = await payOrder();
    expect([unavailablePhone, busyPhone].flatMap(noticeBodies)).toEqual([]);
    const { rows } = await shop.database.pool.query(
      `select payload, extract(epoch from run_at - now())::int as s, last_error from jobs
      where payload ->> 'deviceId' is not null order by last_error is null`,
    );
    const [failedJob, postponedJob] = rows;
    expect(failedJob.last_error).toContain("503");
    expect(postponedJob).toMatchObject({ last_error: null, payload: { waits: 1 } });
    expect(postponedJob.s).toBeGreaterThan(500);
    for (const { payload } of rows) await runNow(payload);
    expect([unavailablePhone, busyPhone].map(noticeBodies)).toEqual(
      Array(2).fill([`#${number} · $35.90 · 1 item`]),
    );
    await shop.database.pool.query("delete from jobs");
  });

  test("blocks only one worker when it times out, not one for each order", async () => {
    const { phone, id } = await turnOnNotifications(owner);
    const { id: subject } = await payOrder();
    await shop.database.db.update(pushDevices).set({ lastEvent: null });
    push.next.set(phone, ["hang"]);
    const { timeout } = AbortSignal;
    const timeoutSpy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 100));
    const runNotification = () => runNow({ deviceId: id, event: "order", subject });
    await expect(runNotification()).rejects.toThrow("no answer within 10 seconds");
    await expect(runNotification()).rejects.toThrow("did not answer a moment ago");
    timeoutSpy.mockRestore();
    expect(phone.received).toHaveLength(1);
    // A test notification is sent immediately; its success ends the pause.
    expect((await owner.post(`${path}/${id}/test`)).status).toBe(200);
    await runNotification();
    expect(phone.received.map(({ notice }) => notice.title)).toEqual(["New order", "It works", "New order"]);
  });

  test("is not called for a device with invalid keys", async () => {
    const { phone, id } = await turnOnNotifications(owner);
    await shop.database.db.update(pushDevices).set({ p256dh: `B${"A".repeat(86)}` });
    expect((await owner.post(`${path}/${id}/test`)).status).toBe(409);
    expect(phone.received).toEqual([]);
  });

  test("has its error shown with the device if every attempt fails, and no failed job is left", async () => {
    const { phone, id } = await turnOnNotifications(owner, []);
    push.next.set(phone, [502]);
    await shop.database.db.update(pushDevices).set({ wants: ["order"] });
    const subject = await insertPaidOrder(shop.database.db);
    await runNow({ deviceId: id, event: "order", subject }, true);
    expect(await fetchDevices(owner)).toMatchObject([{ problem: expect.stringContaining("502") }]);
  });

  test("is not waited for if its response is not HTTP", async () => {
    const { phone, id } = await turnOnNotifications(owner);
    push.next.set(phone, ["upgrade"]);
    expect((await owner.post(`${path}/${id}/test`)).status).toBe(409);
    expect(await fetchDevices(owner)).toMatchObject([{ problem: expect.stringContaining("101") }]);
  });

  test("is not tried again after a response 403, and the device shows why until a notification is delivered", async () => {
    const { phone, id } = await turnOnNotifications(owner);
    push.next.set(phone, [403]);
    await payOrder();
    expect(await fetchDevices(owner)).toMatchObject([
      { problem: expect.stringContaining("403"), lastDeliveredAt: null },
    ]);
    expect((await owner.post(`${path}/${id}/test`)).status).toBe(200);
    expect(phone.received.map(({ notice }) => notice.tag)).toEqual(["test"]);
    expect(await fetchDevices(owner)).toMatchObject([{ problem: null }]);
  });
});

describe("a device", () => {
  test("can be sent a test notification, and the response's status says what went wrong", async () => {
    const { phone, id } = await turnOnNotifications(owner);
    push.next.set(phone, [500, 400, 404]);
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await owner.post(`${path}/${id}/test`)).status);
    expect(statuses).toEqual([502, 409, 409, 404]);
    expect(phone.received).toEqual([]);
  });

  test("is refused if the same person has ten others", async () => {
    for (let i = 0; i < 10; i += 1) await turnOnNotifications(owner);
    const body = { subscription: push.phone().subscription, wants: ["order"] };
    expect((await owner.post(path, body)).status).toBe(409);
    expect(await fetchDevices(owner)).toHaveLength(10);
  });

  test("cannot be seen, changed or tested by other people, but the owner may remove it", async () => {
    const [ana, bea] = [await joinAs("staff"), await joinAs("staff")];
    const { id } = await turnOnNotifications(ana.browser);
    expect(await fetchDevices(bea.browser)).toEqual([]);
    expect((await bea.browser.post(`${path}/${id}/test`)).status).toBe(404);
    expect((await send(bea.browser, "PATCH", `${path}/${id}`, { wants: [] })).status).toBe(404);
    expect((await send(bea.browser, "DELETE", `${path}/${id}`)).status).toBe(404);
    expect((await send(owner, "PATCH", `${path}/${id}`, { wants: [] })).status).toBe(404);
    expect((await send(ana.browser, "PATCH", `${path}/${id}`, { wants: ["return"] })).status).toBe(200);
    expect(await fetchDevices(ana.browser)).toMatchObject([{ wants: ["return"] }]);
    expect((await send(owner, "DELETE", `${path}/${id}`)).status).toBe(200);
    expect((await send(ana.browser, "DELETE", `${path}/${id}`)).status).toBe(404);
    expect((await shop.browser().get(path)).status).toBe(401);
  });

  test("belongs to the person who last turned on its notifications, keeps its id with a new subscription, and stays removed once removed", async () => {
    const ana = await joinAs("staff");
    const { phone, id } = await turnOnNotifications(ana.browser);
    await turnOnNotifications(owner, ["order"], phone);
    expect(await fetchDevices(ana.browser)).toEqual([]);
    const [device] = await fetchDevices(owner);
    expect(device).toMatchObject({ id, isOwn: true, person: null });
    const newPhone = push.phone();
    expect((await send(owner, "PUT", `${path}/${id}`, newPhone.subscription)).status).toBe(200);
    await payOrder();
    expect([phone.received.length, newPhone.received.length]).toEqual([0, 1]);
    await send(owner, "DELETE", `${path}/${id}`);
    expect((await send(owner, "PUT", `${path}/${id}`, newPhone.subscription)).status).toBe(404);
    expect(await fetchDevices(owner)).toEqual([]);
  });

  test("is removed when its session is signed out, not when the session expires", async () => {
    const ana = await joinAs("staff");
    const anasDevice = await turnOnNotifications(ana.browser);
    shop.travel(13 * 60 * 60 * 1000);
    owner = await adminBrowser(shop);
    expect((await ana.browser.get(path)).status).toBe(401);
    expect(await fetchDevices(owner)).toMatchObject([{ id: anasDevice.id }]);

    const laptop = await adminBrowser(shop);
    await turnOnNotifications(laptop);
    await laptop.post("/api/admin/logout");
    const phone = await adminBrowser(shop);
    const ownDevice = await turnOnNotifications(phone);
    expect((await fetchDevices(owner)).map(({ id }: { id: string }) => id).sort()).toEqual(
      [anasDevice.id, ownDevice.id].sort(),
    );
    await send(phone, "DELETE", "/api/admin/sessions");
    owner = phone;
    expect(await fetchDevices(owner)).toMatchObject([{ id: ownDevice.id }]);
    await setAccessCode(shop.database.db, "open-sesame-1234");
    owner = await adminBrowser(shop);
    expect(await fetchDevices(owner)).toEqual([]);
  });

  test("is refused without a URL of a public push service and keys of the right length", async () => {
    const { keys } = push.phone().subscription;
    const privateEndpoints = [
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
    for (const subscription of [...privateEndpoints, { endpoint, keys: shortKeys }, { endpoint }]) {
      const response = await owner.post(path, { subscription, wants: ["order"] });
      expect([subscription, response.status]).toEqual([subscription, 422]);
    }
    expect(await fetchDevices(owner)).toEqual([]);
  });
});

test("private addresses are recognized, and never connected to", async () => {
  const privateIpv4 = [
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
  ];
  const privateIpv6 = [
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
  ];
  for (const address of [...privateIpv4, ...privateIpv6])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  const publicAddresses = [
    "142.250.74.106",
    "17.57.144.10",
    "172.32.0.1",
    "2a00:1450:4001:82f::200a",
    "2607:f8b0::1",
  ];
  for (const address of publicAddresses) expect([address, isPublicAddress(address)]).toEqual([address, true]);
  const call = request("https://localhost:9/", { lookup: publicLookup }).end();
  const [error] = await once(call, "error");
  expect(error.message).toBe("localhost does not lead to a public address");
});
