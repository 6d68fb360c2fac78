import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { type FakeSmtp, startFakeSmtp } from "../../test/fake-smtp.ts";
import { type FakeTwilio, startFakeTwilio } from "../../test/fake-twilio.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { enqueueOrderPaid } from "../orders/mail.ts";
import { messages } from "./tables.ts";

let shop: TestShop;
let twilio: FakeTwilio;
let smtp: FakeSmtp;
let owner: TestBrowser;

beforeAll(async () => {
  [twilio, smtp] = await Promise.all([startFakeTwilio(), startFakeSmtp()]);
  shop = await openTestShop({ ...twilio.env, SMTP_URL: smtp.url, OWNER_EMAIL: "owner@example.com" });
  owner = await adminBrowser(shop);
});
beforeEach(async () => {
  // Delivers the messages of the previous test before this one starts.
  await shop.jobsDone();
  await shop.database.db.execute(sql`truncate messages`);
  twilio.received.length = 0;
  twilio.next.length = 0;
  smtp.received.length = 0;
});
afterAll(async () => {
  await shop.stop();
  await Promise.all([twilio.close(), smtp.close()]);
});

const settingsPath = "/api/notifications/sms-settings";
const saveNumber = (phoneNumber: string | number = "5550104477", browser = owner) =>
  browser.post(settingsPath, { phoneNumber, carrier: "att" });
const sendTest = (phoneNumber = "5550104477", browser = owner) =>
  browser.post("/api/notifications/test-sms", { phoneNumber });

/** Places an order and books its payment. */
async function payOrder(targetShop = shop): Promise<string> {
  const orderId = await insertPaidOrder(targetShop.database.db);
  await targetShop.database.db.transaction((tx) => enqueueOrderPaid(targetShop.ctx, tx, orderId));
  await targetShop.jobsDone();
  return orderId;
}

const readTextMessage = async (orderId: string, targetShop = shop) => {
  const [message] = await targetShop.database.db
    .select()
    .from(messages)
    .where(sql`${messages.orderId} = ${orderId} and ${messages.kind} = 'owner_order_text'`);
  return message;
};

/** Runs the job of an order's text now, as a worker would later. */
async function runJob(job: "check_text" | "send_message", orderId: string, round = 0): Promise<void> {
  const messageId = (await readTextMessage(orderId))?.id;
  const task = shop.tasks.find((candidate) => candidate.job.name === job);
  await task?.run(
    { messageId, round },
    { attempt: 2, isLastAttempt: false, signal: new AbortController().signal },
  );
}
const checkDelivery = async (orderId: string) => {
  await runJob("check_text", orderId);
  await shop.jobsDone();
};

const failureMails = () =>
  smtp.received.filter(({ headers }) => headers.get("subject")?.includes("text to your phone"));

describe("the phone number for text messages", () => {
  test("is stored, shown only to the owner, logged without its digits, and can be removed", async () => {
    expect(await saveNumber()).toMatchObject({
      status: 200,
      body: { success: true, data: { phoneNumber: "5550104477", carrier: "att" } },
    });
    expect((await owner.get(settingsPath)).body.data).toEqual({
      phoneNumber: "5550104477",
      carrier: "att",
      texts: { isConfigured: true, from: "+15005550006" },
      mail: { isConfigured: true, ownerEmail: "owner@example.com" },
    });
    const { rows } = await shop.database.db.execute<{ entry: string }>(
      sql`select row_to_json(a)::text as entry from activity a order by id desc limit 1`,
    );
    expect(rows[0]?.entry).toContain("Text alerts for new orders go to the number ending in 4477");
    expect(rows[0]?.entry).not.toContain("5550104477");
    const removed = await owner.fetch(settingsPath, { method: "DELETE" });
    expect([removed.status, (await owner.get(settingsPath)).body.data.phoneNumber]).toEqual([200, null]);
  });

  test.each(["555010447", "55501044770", "555-010-44", "", 5550104477])("refuses %j", async (phoneNumber) => {
    const response = await saveNumber(phoneNumber);
    expect([response.status, Object.keys(response.body.fields)]).toEqual([422, ["phoneNumber"]]);
  });
});

describe("a test text message", () => {
  test("is sent immediately, and listed in the outbox", async () => {
    expect((await sendTest("2125550123")).status).toBe(200);
    expect(twilio.received).toMatchObject([
      { to: "+12125550123", from: "+15005550006", body: expect.stringMatching(/^Palmira: this is a test/) },
    ]);
    const { body } = await owner.get("/api/admin/outbox?channel=sms");
    expect(body.data).toMatchObject([{ kind: "test_text", status: "sent", delivery: "accepted" }]);
  });

  test("is refused for a number that does not exist, which is not logged", async () => {
    twilio.next.push("no_such_number");
    const response = await sendTest();
    expect(response.status).toBe(422);
    expect(response.body.fields.phoneNumber).toBe("Twilio says that this is not a phone number.");
    expect(shop.logLines.join("")).not.toContain("5550104477");
  });

  test.each(["bad_credentials", "away"] as const)(
    "returns 502 if Twilio cannot send it (%s)",
    async (reaction) => {
      twilio.next.push(reaction);
      expect(await sendTest()).toMatchObject({ status: 502, body: { error: "provider_unavailable" } });
      const { body } = await owner.get("/api/admin/outbox?status=failed");
      expect(body.data).toMatchObject([{ kind: "test_text", lastError: expect.stringMatching(/\w/) }]);
    },
  );
});

test("a test text message returns an error if Twilio's response never ends", async () => {
  twilio.next.push("drip");
  const { timeout } = AbortSignal;
  const timeoutSpy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 100));
  expect(await sendTest()).toMatchObject({ status: 502, body: { error: "provider_unavailable" } });
  timeoutSpy.mockRestore();
});

describe("the text message about a paid order", () => {
  test("is sent once with number and total, without the buyer's data", async () => {
    await saveNumber();
    const orderId = await payOrder();
    await shop.database.db.transaction((tx) => enqueueOrderPaid(shop.ctx, tx, orderId));
    await shop.jobsDone();
    const [text, ...otherTexts] = twilio.received;
    expect(otherTexts).toEqual([]);
    expect(text?.to).toBe("+15550104477");
    expect(text?.body).toMatch(/^Palmira: order #\d+, \$35\.90, 1 item\. http:\/\/localhost:5000\/admin$/);
    expect(text?.body).not.toMatch(/ada/i);
    expect(await readTextMessage(orderId)).toMatchObject({
      status: "sent",
      delivery: "accepted",
      providerId: text?.sid,
    });
  });

  test("is not sent without a phone number", async () => {
    await owner.fetch(settingsPath, { method: "DELETE" });
    expect(await readTextMessage(await payOrder())).toBeUndefined();
    await saveNumber();
  });

  test("shows as delivered once Twilio reports a late delivery", async () => {
    await saveNumber();
    const orderId = await payOrder();
    await checkDelivery(orderId);
    expect(await readTextMessage(orderId)).toMatchObject({ delivery: "accepted" });
    twilio.settle("delivered");
    await checkDelivery(orderId);
    expect(await readTextMessage(orderId)).toMatchObject({ delivery: "delivered", lastError: null });
    expect(failureMails()).toEqual([]);
  });

  test("is replaced by one e-mail if it is not delivered", async () => {
    await saveNumber();
    const orderId = await payOrder();
    twilio.settle("undelivered", 30003);
    await checkDelivery(orderId);
    await checkDelivery(orderId);
    const reason = "The phone could not be reached: it is switched off or has no network";
    expect(await readTextMessage(orderId)).toMatchObject({
      status: "sent",
      delivery: "undelivered",
      lastError: reason,
    });
    expect(failureMails()).toHaveLength(1);
    expect(failureMails()[0]?.to).toEqual(["owner@example.com"]);
    expect(failureMails()[0]?.body).toContain(`${reason}.`);
    expect(failureMails()[0]?.body).toContain(`/admin/orders/${orderId}`);
  });

  test("is replaced by an e-mail immediately if it is refused", async () => {
    await saveNumber();
    twilio.next.push("no_such_number");
    const orderId = await payOrder();
    expect(await readTextMessage(orderId)).toMatchObject({ status: "failed", attempts: 1 });
    expect(failureMails()).toHaveLength(1);
  });

  test("is sent once Twilio is available again, and not twice if Twilio has already accepted it", async () => {
    await saveNumber();
    twilio.next.push("away", "accept_then_hang_up");
    const orderId = await payOrder();
    expect(await readTextMessage(orderId)).toMatchObject({ status: "queued", attempts: 1 });
    await expect(runJob("send_message", orderId)).rejects.toThrow("could not be reached");
    expect(await readTextMessage(orderId)).toMatchObject({ status: "queued", attempts: 2 });
    await runJob("send_message", orderId);
    expect(await readTextMessage(orderId)).toMatchObject({
      status: "sent",
      providerId: twilio.received[0]?.sid,
    });
    expect(twilio.received).toHaveLength(1);
  });

  test("is replaced by an e-mail after six attempts", async () => {
    await saveNumber();
    twilio.next.push("away");
    const orderId = await payOrder();
    twilio.next.push("away");
    await shop.database.db.update(messages).set({ attempts: 5 }).where(eq(messages.orderId, orderId));
    await runJob("send_message", orderId);
    expect(await readTextMessage(orderId)).toMatchObject({ status: "failed", attempts: 6 });
    await shop.jobsDone();
    expect(failureMails()).toHaveLength(1);
  });
});

test("without Twilio credentials a test text message is refused with the reason, and the one about an order is recorded as not sent", async () => {
  const unconfigured = await openTestShop();
  try {
    const unconfiguredOwner = await adminBrowser(unconfigured);
    expect(await sendTest("5550104477", unconfiguredOwner)).toMatchObject({
      status: 503,
      body: { error: "not_configured" },
    });
    expect((await saveNumber("5550104477", unconfiguredOwner)).status).toBe(200);
    expect((await unconfiguredOwner.get(settingsPath)).body.data).toMatchObject({
      texts: { isConfigured: false, from: null },
      mail: { isConfigured: false, ownerEmail: null },
    });
    const orderId = await payOrder(unconfigured);
    expect(await readTextMessage(orderId, unconfigured)).toMatchObject({
      status: "skipped",
      lastError: expect.stringMatching(/no Twilio credentials are entered under Keys and connections$/),
    });
    expect(unconfigured.logLines.join("")).toContain("text not sent");
  } finally {
    await unconfigured.stop();
  }
});
