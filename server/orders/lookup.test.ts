import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { keptMail, mailedToken } from "../../test/kept-mail.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { openTestShop } from "../../test/shop.ts";

const shop = await openTestShop();
mkdirSync(join(shop.dataDir, "mail"), { recursive: true });
afterAll(() => shop.stop());

const paths = ["/api/orders/find", "/api/account/export", "/api/account/deletion"];
let addresses = 0;

async function createBuyer(): Promise<string> {
  addresses += 1;
  const email = `buyer${addresses}@example.com`;
  await insertPaidOrder(shop.database.db, { email });
  return email;
}

test.each(paths)(
  "%s gives every e-mail address the same response, sent before the address is looked up",
  async (path) => {
    const email = await createBuyer();
    const responses = await shop.database.db.transaction(async (tx) => {
      // A read or write of any of these tables would wait for this transaction.
      await tx.execute(sql`lock table orders, order_visitors, order_lookups, messages, contact_messages,
      cart_reminders, visitors, deletion_requests in access exclusive mode`);
      return [
        await shop.browser().post(path, { email: email }),
        await shop.browser().post(path, { email: "nobody@example.com" }),
      ];
    });
    const visibleResponses = responses.map(({ status, body, headers }) => ({
      status,
      body,
      headers: [...headers].filter(([name]) => name !== "x-request-id" && name !== "date"),
    }));
    expect(visibleResponses[0]?.status).toBe(202);
    expect(visibleResponses[0]).toEqual(visibleResponses[1]);
    await shop.jobsDone();
    expect(keptMail(shop, email)).toHaveLength(1);
    expect(keptMail(shop, "nobody@example.com")).toEqual([]);
  },
);

test("an e-mail address gets at most 5 links of all kinds an hour, and the response does not reveal the limit", async () => {
  const email = await createBuyer();
  const requestLinks = async () => {
    const responses = await Promise.all(
      [...paths, ...paths, ...paths].map((path) => shop.browser().post(path, { email })),
    );
    await shop.jobsDone();
    return responses.map(({ status }) => status);
  };
  expect(await requestLinks()).toEqual(Array(9).fill(202));
  expect(keptMail(shop, email)).toHaveLength(5);
  shop.travel(61 * 60 * 1000);
  await requestLinks();
  expect(keptMail(shop, email)).toHaveLength(10);
});

test.each(paths)("%s refuses an invalid address", async (path) => {
  const response = await shop.browser().post(path, { email: "not an address" });
  expect([response.status, response.body.fields.email]).toEqual([422, expect.any(String)]);
});

const useToken = (token: string, path = "/api/orders/find/use", fields = {}) =>
  shop.browser().post(path, { token, ...fields });

async function requestOrdersToken(): Promise<string> {
  const email = await createBuyer();
  await shop.browser().post("/api/orders/find", { email: email.toUpperCase() });
  return mailedToken(shop, email, "order_lookup");
}

test("an e-mailed link used twice at the same time works only once", async () => {
  const token = await requestOrdersToken();
  const statuses = await Promise.all([useToken(token), useToken(token)]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test("an e-mailed link used while its order's address is being corrected does not show the order", async () => {
  const email = "wrong@example.com";
  const orderId = await insertPaidOrder(shop.database.db, { email });
  const browser = shop.browser();
  await browser.post("/api/orders/find", { email });
  const token = await mailedToken(shop, email, "order_lookup");
  const use = await shop.database.db.transaction(async (tx) => {
    await tx.execute(sql`update orders set email = 'right@example.com' where id = ${orderId}`);
    const response = browser.post("/api/orders/find/use", { token });
    await Promise.race([response, new Promise((resolve) => setTimeout(resolve, 300))]);
    return { response };
  });
  expect((await use.response).status).toBe(200);
  expect((await browser.get(`/api/orders/${orderId}`)).status).toBe(404);
});

test("an e-mailed link is valid for an hour", async () => {
  const token = await requestOrdersToken();
  shop.travel(60 * 60 * 1000);
  expect((await useToken(token)).status).toBe(404);
});

test("an e-mailed link works for its own purpose only", async () => {
  const token = await requestOrdersToken();
  expect((await useToken(token, "/api/account/export/use")).status).toBe(404);
  expect((await useToken(token, "/api/account/deletion/use", { confirm: true })).status).toBe(404);
  expect((await useToken(token)).status).toBe(200);
});

test("an e-mailed link opened by a mail scanner still works for its reader, and its page is not cached", async () => {
  const token = await requestOrdersToken();
  for (let scans = 0; scans < 3; scans += 1) {
    const page = await shop.browser().get(`/orders/find?token=${token}`);
    expect(page.body).toContain("Show my orders");
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
  }
  expect((await useToken(token)).status).toBe(200);
});

test("without JavaScript the form asks for a link, and the link's button shows the orders", async () => {
  const email = await createBuyer();
  const browser = shop.browser();
  const submit = (path: string, fields: Record<string, string>) =>
    browser.fetch(path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  const invalidResponse = await submit("/orders", { email: "ada at home" });
  expect(invalidResponse.status).toBe(422);
  const field = /<input[^>]*id="find-email"[^>]*>/.exec(await invalidResponse.text())?.[0];
  expect(field).toContain('value="ada at home"');
  expect(field).toContain('aria-invalid="true"');
  const response = await submit("/orders", { email });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/orders?find=sent#find"]);
  expect((await browser.get("/orders?find=sent")).body).toContain("Check your inbox.");

  const token = await mailedToken(shop, email, "order_lookup");
  const useResponse = await submit(`/orders/find?token=${token}`, { token });
  expect([useResponse.status, useResponse.headers.get("location")]).toEqual([303, "/orders"]);
  expect((await browser.get("/orders")).status).toBe(200);
  expect((await submit(`/orders/find?token=${token}`, { token })).status).toBe(404);
});
