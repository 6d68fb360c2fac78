import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { callInTurn } from "../../test/database.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { emailOptouts, messages } from "../outbox/tables.ts";
import { truncatedNetwork } from "./commands.ts";
import { subscribers } from "./tables.ts";

const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());
beforeEach(async () => {
  await shop.jobsDone();
  await shop.database.db.delete(subscribers);
  await shop.database.db.delete(emailOptouts);
  const response = await send(admin, "PATCH", "/api/admin/settings", { newsletter: true, welcomeCode: null });
  expect(response.status).toBe(200);
});

const path = "/api/newsletter";
const readSubscribers = () => shop.database.db.select().from(subscribers);
const readMail = async (kind: "newsletter_confirm" | "newsletter_welcome", email: string) =>
  (await shop.database.db.select().from(messages).where(eq(messages.kind, kind))).filter(
    ({ recipient }) => recipient === email,
  );

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `reads${addresses}@example.com`;
}

async function tokenFor(email: string): Promise<string> {
  await shop.jobsDone();
  const text = keptMail(shop, email).findLast((mail) => mail.includes("/newsletter?confirm=")) ?? "";
  return /confirm=(\S+)/.exec(text)?.[1] ?? "";
}

/** Signs up and confirms. */
async function subscribe(email = newAddress(), browser = shop.browser()): Promise<string> {
  await browser.post(path, { email });
  expect((await browser.post(`${path}/confirm`, { token: await tokenFor(email) })).status).toBe(200);
  await shop.jobsDone();
  return email;
}

test("a sign-up is on the list once its address has confirmed it, with a record of the consent", async () => {
  const [email, browser] = [newAddress(), shop.browser("203.0.113.77")];
  expect(await browser.post(path, { email })).toMatchObject({
    status: 202,
    body: { data: { next: "confirm" } },
  });
  expect(await readSubscribers()).toMatchObject([
    { email, confirmedAt: null, confirmedNetwork: null, place: "footer" },
  ]);
  const token = await tokenFor(email);
  expect((await browser.get(`/newsletter?confirm=${token}`)).body).toContain("Yes, sign me up");
  expect((await readSubscribers())[0]?.confirmedAt, "opening the page is not consent").toBeNull();
  const confirmResponse = await browser.fetch(`/newsletter?confirm=${token}`, { method: "POST" });
  expect(await confirmResponse.text()).toContain("You’re on the list");
  expect((await browser.post(`${path}/confirm`, { token })).body.data).toEqual({ offer: null });
  expect(await readSubscribers()).toMatchObject([
    {
      consentText: "News and offers from Palmira by email. Unsubscribe any time.",
      confirmedNetwork: "203.0.113.0/24",
    },
  ]);
  await shop.jobsDone();
  expect(await readMail("newsletter_welcome", email)).toHaveLength(1);
  expect(JSON.stringify(await readMail("newsletter_confirm", email))).not.toContain(token);
  expect((await browser.post(`${path}/confirm`, { token: `9${token}` })).status).toBe(404);
});

test("the sign-up form neither reveals whether an address is on the list nor floods it with e-mails", async () => {
  const email = await subscribe();
  const again = await shop.browser().post(path, { email: email.toUpperCase() });
  expect(again.body).toEqual((await shop.browser().post(path, { email: newAddress() })).body);
  await shop.jobsDone();
  expect(await readMail("newsletter_confirm", email)).toHaveLength(1);
  const floodedAddress = newAddress();
  for (let count = 0; count < 6; count += 1) {
    await shop.browser().post(path, { email: floodedAddress });
    await shop.database.db.execute(sql`update subscribers set asked_at = asked_at - interval '2 minutes'`);
  }
  await shop.jobsDone();
  expect(await readMail("newsletter_confirm", floodedAddress)).toHaveLength(3);
});

test("a confirmation of the newsletter counts even if the address signs up again at the same moment", async () => {
  const email = newAddress();
  await shop.browser().post(path, { email });
  const token = await tokenFor(email);
  await shop.database.db.execute(sql`update subscribers set asked_at = asked_at - interval '2 minutes'`);
  await callInTurn(
    shop.database,
    sql`select from subscribers for update`,
    () => shop.browser().post(`${path}/confirm`, { token }),
    () => shop.browser().post(path, { email }),
  );
  expect(await readSubscribers()).toMatchObject([{ email, confirmedAt: expect.any(Date) }]);
});

test("one click unsubscribes; signing up again needs a new confirmation", async () => {
  const email = await subscribe();
  const [welcome = ""] = keptMail(shop, email, "newsletter_welcome");
  const link = /\S+(\/unsubscribe\?token=newsletter\S+)/.exec(welcome)?.[1] ?? "";
  expect(await (await shop.browser().fetch(link, { method: "POST" })).text()).toContain(
    "You’re unsubscribed",
  );
  const readList = async () => (await admin.get("/api/admin/subscribers")).body;
  expect(await readList()).toMatchObject({
    data: [{ email, state: "unsubscribed" }],
    counts: { confirmed: 0, unconfirmed: 0, unsubscribed: 1 },
  });
  await shop.browser().post(path, { email });
  expect((await readList()).data).toMatchObject([{ state: "unconfirmed", unsubscribedAt: null }]);
  await subscribe(email);
  expect((await readList()).data).toMatchObject([{ state: "confirmed", unsubscribedAt: null }]);
});

test("the owner can delete an address from the list, and it may sign up again", async () => {
  const email = await subscribe();
  const [{ id }] = (await admin.get("/api/admin/subscribers")).body.data;
  const remove = (browser: TestBrowser) => send(browser, "DELETE", `/api/admin/subscribers/${id}`);
  expect((await remove(shop.browser())).status).toBe(401);
  expect((await remove(admin)).status).toBe(200);
  expect(await readSubscribers()).toEqual([]);
  expect((await remove(admin)).status).toBe(404);
  const log = (await admin.get("/api/admin/activity")).body.data;
  expect(log).toContainEqual(expect.objectContaining({ summary: "Removed a newsletter subscriber" }));
  expect(JSON.stringify(log)).not.toContain(email);
  await subscribe(email);
});

test("the confirmation has the owner’s welcome code while it is valid", async () => {
  await admin.post("/api/admin/discounts", {
    code: "WELCOME10",
    kind: "percent",
    value: 10,
    limitPerCustomer: 1,
  });
  await send(admin, "PATCH", "/api/admin/settings", { welcomeCode: "welcome10" });
  const email = newAddress();
  const browser = shop.browser();
  await browser.post(path, { email });
  const { body } = await browser.post(`${path}/confirm`, { token: await tokenFor(email) });
  expect(body.data.offer).toEqual({ code: "WELCOME10", sentence: "10% off any order. Once per customer." });
  await shop.jobsDone();
  expect((await readMail("newsletter_welcome", email))[0]?.text).toContain("Your code: WELCOME10");
  expect(await readSubscribers()).toMatchObject([{ welcomeCode: "WELCOME10" }]);
  const [discount] = (await admin.get("/api/admin/discounts")).body.data;
  await send(admin, "PATCH", `/api/admin/discounts/${discount.id}`, { active: false });
  const laterSubscriber = await subscribe();
  expect((await readMail("newsletter_welcome", laterSubscriber))[0]?.text).not.toContain("WELCOME10");
});

test("sign-up forms show the welcome offer without its code, while there is one", async () => {
  const showsOffer = async (page: string) =>
    (await shop.browser().get(page)).body.includes("Your welcome once you confirm: ");
  const pages = ["/", "/newsletter"];
  const readOffers = async () => Promise.all(pages.map(showsOffer));
  expect(await readOffers()).toEqual([false, false]);
  const discount = await admin.post("/api/admin/discounts", { code: "HELLO15", kind: "percent", value: 15 });
  expect(discount.status).toBe(201);
  await send(admin, "PATCH", "/api/admin/settings", { welcomeCode: "HELLO15" });
  await expect.poll(readOffers).toEqual([true, true]);
  const { body } = await shop.browser().get("/newsletter");
  expect(body).toContain("15% off any order.");
  expect(body).not.toContain("HELLO15");
  await send(admin, "PATCH", "/api/admin/settings", { welcomeCode: null });
  await expect.poll(readOffers).toEqual([false, false]);
});

test("the owner can search, page through and download the list of subscribers", async () => {
  const emails = [await subscribe(), await subscribe(), newAddress()];
  await shop.browser().post(path, { email: emails[2] });
  const readList = async (query: string) => (await admin.get(`/api/admin/subscribers?${query}`)).body;
  const listEmails = ({ data }: { data: { email: string }[] }) => data.map(({ email }) => email);
  const first = await readList("limit=2");
  expect(listEmails(first)).toEqual([emails[2], emails[1]]);
  expect(first.counts).toEqual({ confirmed: 2, unconfirmed: 1, unsubscribed: 0 });
  expect(listEmails(await readList(`limit=2&cursor=${first.nextCursor}`))).toEqual([emails[0]]);
  expect(listEmails(await readList(`q=${emails[1]?.slice(0, 8).toUpperCase()}`))).toContain(emails[1]);
  expect(listEmails(await readList("state=unconfirmed"))).toEqual([emails[2]]);
  const file = await admin.fetch("/api/admin/subscribers.csv?state=confirmed");
  const lines = (await file.text()).trim().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(`${emails[1]},confirmed,`);
  expect(lines[1]).toContain("/unsubscribe?token=newsletter.");
  expect((await shop.browser().get("/api/admin/subscribers")).status).toBe(401);
  const page = (await admin.get("/admin/subscribers")).body.replace(/.*<main/s, "").replace(/<script.*/s, "");
  expect(page).toContain(emails[0]);
  expect(page.match(/All of these.* agreed to/g)).toHaveLength(1);
  expect(page.match(/News and offers from Palmira/g), "the consent text, once").toHaveLength(1);
  const emptyPage = (await admin.get("/admin/subscribers?q=nobody")).body;
  expect(emptyPage).toContain("No subscribers found");
  expect(emptyPage).not.toContain("No subscribers yet");
});

test("without a newsletter there is no form and no API call", async () => {
  const readHomePage = async () => String((await shop.browser().get("/")).body);
  await expect.poll(readHomePage).toContain('action="/newsletter"');
  await send(admin, "PATCH", "/api/admin/settings", { newsletter: false });
  await expect.poll(readHomePage).not.toContain('action="/newsletter"');
  expect((await shop.browser().post(path, { email: newAddress() })).status).toBe(404);
  expect((await shop.browser().get("/newsletter")).status).toBe(404);
});

test("without JavaScript, the form shows its errors or redirects to the next step", async () => {
  const post = (email: string) =>
    shop.browser().fetch("/newsletter", {
      method: "POST",
      body: `email=${encodeURIComponent(email)}`,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      redirect: "manual",
    });
  const wrong = await post("ada@");
  expect([wrong.status, await wrong.text()]).toEqual([
    422,
    expect.stringContaining("Enter a valid email address"),
  ]);
  const sent = await post(newAddress());
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/newsletter?asked"]);
  expect((await shop.browser().get("/newsletter?asked")).body).toContain("Check your inbox");
});

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1:2:3::4", "2001:db8:1::/48"],
  ["unknown", ""],
])("the network address %s is stored as %s", (address, network) => {
  expect(truncatedNetwork(address)).toBe(network);
});
