import { eq, sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { type FakeSmtp, startFakeSmtp } from "../../test/fake-smtp.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { purgePictures } from "../catalog/pictures/jobs.ts";
import { pictureOriginals } from "../catalog/tables.ts";
import { purgePersonalCodes } from "../discounts/personal-codes.ts";
import { discounts, personalCodes } from "../discounts/tables.ts";
import { subscribers } from "../newsletter/tables.ts";
import { hashEmail } from "../outbox/optouts.ts";
import { purgeCampaignRecipients } from "./commands.ts";
import { resumeCampaigns } from "./send.ts";
import { campaigns } from "./tables.ts";

let smtp: FakeSmtp;
let shop: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  smtp = await startFakeSmtp();
  shop = await openTestShop({
    SMTP_URL: smtp.url,
    OWNER_EMAIL: "owner@example.com",
    NEWSLETTERS_PER_MINUTE: "60000",
  });
  owner = await adminBrowser(shop);
});
afterAll(async () => {
  await shop.stop();
  await smtp.close();
});
beforeEach(async () => {
  smtp.next.length = 0;
  await shop.jobsDone();
  smtp.received.length = 0;
  await shop.database.db.execute(
    sql`truncate campaigns, campaign_recipients, personal_codes, subscribers, email_optouts, jobs`,
  );
});

const path = "/api/admin/campaigns";
const readCampaign = async (url: string) => (await owner.get(url)).body.data;
const codesIn = (body = "") => [...new Set(body.match(/\b[A-Z2-9]{5}-[A-Z2-9]{5}\b/g))];
const newslettersTo = (email: string) => smtp.received.filter(({ to }) => to[0] === email);
/** The code in the latest newsletter to the address. */
function mailedCode(email: string): string {
  const codes = codesIn(newslettersTo(email).at(-1)?.body);
  expect(codes).toHaveLength(1);
  return codes[0] ?? "";
}

let discountCount = 0;
async function createDiscount(terms: object = {}): Promise<{ id: number; code: string }> {
  discountCount += 1;
  const input = { code: `HARVEST${discountCount}`, kind: "percent", value: 10, ...terms };
  const { status, body } = await owner.post("/api/admin/discounts", input);
  expect(status).toBe(201);
  return body.data;
}

/** Sends a newsletter with personal codes to these addresses. */
async function sendNewsletter(code: string, emails: string[], words = "Take {{code}}."): Promise<string> {
  const at = new Date();
  const consent = { askedAt: at, confirmedAt: at, place: "footer" as const, consentText: "News" };
  const rows = emails.map((email) => ({ email, emailHash: hashEmail(email), ...consent }));
  await shop.database.db.insert(subscribers).values(rows).onConflictDoNothing();
  const body = `${words} [Read on](/story#may).\n\n- [Elsewhere](https://example.org/a)`;
  const letter = { subject: "A new harvest", body, buttonLabel: "Shop", buttonUrl: "/" };
  const draft = await owner.post(path, { ...letter, code, personalCodes: true });
  const url = `${path}/${draft.body.data.id}`;
  expect((await owner.post(`${url}/send`, {})).status).toBe(200);
  await shop.jobsDone();
  return url;
}

const buy = (discountCode: string, email = "buyer@example.com", browser = shop.browser()) =>
  order(browser, { discountCode, email, amount: 3290 });
async function pay(discountCode: string): Promise<string> {
  const browser = shop.browser();
  const started = await buy(discountCode, "buyer@example.com", browser);
  await confirm(browser, started);
  return started.body.orderId;
}
const quote = async (discountCode: string, browser = shop.browser()) => {
  const items = [{ productId: 1, quantity: 1 }];
  return (await browser.post("/api/cart/quote", { items, country: "US", discountCode })).body.data;
};

test("each recipient gets a personal code for one order, and orders that use such codes count as results of the newsletter", async () => {
  const { id, code } = await createDiscount();
  const url = await sendNewsletter(code, ["ada@example.com", "ben@example.com"]);
  const [adasCode, bensCode] = [mailedCode("ada@example.com"), mailedCode("ben@example.com")];
  expect(adasCode).not.toBe(bensCode);
  const letter = newslettersTo("ada@example.com")[0]?.body ?? "";
  expect(letter).toContain(`Take ${adasCode}.`);
  for (const mark of ['"', ")"]) expect(letter).toContain(`/story?code=${adasCode}#may${mark}`);
  expect(letter).toMatch(/https:\/\/example\.org\/a[")]/);
  expect(letter).toContain(`Your code: ${adasCode}`);
  expect(letter).toContain(`/?code=${adasCode}`);
  expect(letter).toContain("This code is yours alone and works once.");
  expect(letter).not.toContain(code);

  expect((await quote(adasCode.toLowerCase())).discount).toMatchObject({ code: adasCode, label: "10% off" });
  // Of two concurrent orders, one gets the discount.
  const [browser, other] = [shop.browser(), shop.browser()];
  const started = await Promise.all([
    buy(adasCode, "one@example.com", browser),
    buy(adasCode, "two@example.com", other),
  ]);
  expect(started.map(({ status }) => status).sort()).toEqual([201, 422]);
  const winner = started[0].status === 201 ? 0 : 1;
  expect(started[1 - winner]?.body.fields.discountCode).toBe("This discount code has been used up.");
  expect((await quote(adasCode)).discountProblem).toBe("This discount code has been used up.");
  const buyer = [browser, other][winner] ?? browser;
  // The shopper's unpaid order is replaced by the next one, even with a corrected address.
  const again = await buy(adasCode, "again@example.com", buyer);
  expect(again.status).toBe(201);
  expect(await readCampaign(url)).toMatchObject({ orders: 0, codesUsed: 0 });
  await confirm(buyer, again);
  await shop.jobsDone();
  // An order with the discount's own code does not count as a result of this newsletter.
  const stranger = shop.browser();
  await confirm(stranger, await buy(code, "stranger@example.com", stranger));
  await shop.jobsDone();
  expect(await readCampaign(url)).toMatchObject({ sent: 2, orders: 1, codesUsed: 1, personalCodes: true });
  const discounts = (await owner.get("/api/admin/discounts")).body.data;
  expect(discounts.filter(({ used }: { used: number }) => used > 0)).toMatchObject([{ id, code, used: 2 }]);
  const { rows } = (await owner.get("/api/admin/sources?by=code")).body.data;
  expect(rows).toMatchObject([{ name: code, orders: 2 }]);

  const reader = { email: "ada@example.com", orderIds: [], visitorIds: [] };
  const lists = shop.ctx.personalData.map(({ lists }) => lists?.newsletters);
  const exported = await Promise.all(
    lists.map((list) => list?.(shop.database.db, reader, 10, shop.ctx) ?? []),
  );
  expect(exported.flat()).toMatchObject([{ subject: "A new harvest", code: adasCode }]);
});

test("an order's cancellation frees its personal code", async () => {
  const { code } = await createDiscount();
  await sendNewsletter(code, ["ada@example.com"]);
  const own = mailedCode("ada@example.com");
  const browser = shop.browser();
  const { body } = await buy(own, "buyer@example.com", browser);
  expect((await quote(own)).discountProblem).not.toBeNull();
  expect((await browser.post(`/api/orders/${body.orderId}/cancel`, {})).status).toBe(200);
  expect((await quote(own)).discountProblem).toBeNull();
  // An order by a program is not replaced, because programs may want several orders.
  const request = { discountCode: own, email: "program@example.com", amount: 3290 };
  const programOrder = await order(browser, request, { "Idempotency-Key": "first" });
  expect(programOrder.status).toBe(201);
  expect((await quote(own, browser)).discountProblem).toContain("used up");
  expect((await buy(own, "other@example.com", browser)).status).toBe(422);
  await confirm(browser, programOrder);
  await shop.jobsDone();
  expect((await browser.get(`/api/orders/${programOrder.body.orderId}`)).body.data.status).toBe("completed");
});

test("after a crash or a temporary refusal, a recipient keeps the same code, and none gets a second one", async () => {
  const { code } = await createDiscount();
  smtp.next.push("accept", "try_later");
  const url = await sendNewsletter(code, ["ada@example.com", "ben@example.com", "cid@example.com"]);
  const codes = () => shop.database.db.select().from(personalCodes).orderBy(personalCodes.code);
  const before = await codes();
  expect(before).toHaveLength(2);
  await shop.database.db.execute(sql`update campaign_recipients set at = at - interval '2 minutes'`);
  await shop.database.db.execute(sql`update jobs set run_at = now()`);
  await resumeCampaigns(shop.ctx);
  await expect.poll(async () => (await readCampaign(url)).status).toBe("sent");
  // The job that sent it may not have ended yet, and would be mistaken for the next one.
  await shop.jobsDone();
  const after = await codes();
  expect(after).toHaveLength(3);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(smtp.received.flatMap(({ body }) => codesIn(body)).sort()).toEqual(after.map((row) => row.code));
  // The state after a kill between marking the recipient and the mail server's response.
  await shop.database.db.execute(sql`update campaign_recipients set status = 'sending'`);
  await shop.database.db.execute(sql`update campaigns set status = 'sending', ended_at = null`);
  await resumeCampaigns(shop.ctx);
  await shop.jobsDone();
  expect(await readCampaign(url)).toMatchObject({ status: "sent", unknown: 3 });
  expect(await codes()).toEqual(after);
});

test("a newsletter whose discount is switched off while it is being sent stops until the discount is active again", async () => {
  const { id, code } = await createDiscount();
  smtp.next.push("hold");
  const sending = sendNewsletter(code, ["ada@example.com", "ben@example.com"]);
  await expect.poll(() => smtp.held()).toBe(1);
  const discount = `/api/admin/discounts/${id}`;
  await send(owner, "PATCH", discount, { active: false });
  expect((await send(owner, "DELETE", discount)).body.message).toContain("codes of their own");
  for (const [change, sentence] of [
    [{ code: "OTHER" }, "its code cannot change"],
    [{ automatic: true }, "it cannot apply automatically"],
  ] as const)
    expect((await send(owner, "PATCH", discount, change)).body.message).toBe(
      `Emails promised ${code}: ${sentence}. Switch it off and make a new one.`,
    );
  smtp.release();
  const url = await sending;
  await expect.poll(async () => (await readCampaign(url)).problem).toContain("This code cannot be used now");
  expect(await readCampaign(url)).toMatchObject({ status: "sending", sent: 1, waiting: 1 });
  const waiting = async () =>
    (await owner.get("/api/admin/attention")).body.data.map(({ message }: { message: string }) => message);
  expect(await waiting()).toEqual([
    expect.stringMatching(
      /“A new harvest” is waiting\. .* sent: This code cannot be used now\. It continues/,
    ),
  ]);
  expect((await quote(mailedCode("ada@example.com"))).discountProblem).toContain("not valid");
  await send(owner, "PATCH", discount, { active: true });
  await shop.database.db.execute(sql`update jobs set run_at = now()`);
  await expect.poll(async () => (await readCampaign(url)).status).toBe("sent");
  expect((await quote(mailedCode("ben@example.com"))).discountProblem).toBeNull();
  expect(await waiting()).toEqual([]);
});

test("two newsletters give a recipient two codes, which share the discount's limits", async () => {
  const { code } = await createDiscount({ limitPerCustomer: 1 });
  const reader = "ada@example.com";
  const urls = [await sendNewsletter(code, [reader])];
  const first = mailedCode(reader);
  urls.push(await sendNewsletter(code, [reader]));
  const second = mailedCode(reader);
  expect(second).not.toBe(first);
  const browser = shop.browser();
  await confirm(browser, await buy(second, reader, browser));
  await shop.jobsDone();
  const refusal = await buy(first, reader);
  expect(refusal.body.fields.discountCode).toContain("with this email address already");
  const counts = await Promise.all(urls.map(readCampaign));
  expect(counts.map(({ codesUsed }) => codesUsed)).toEqual([0, 1]);
});

test("a newsletter and its preview state the discount's limits, and a test e-mail states that its code is a sample", async () => {
  const { code } = await createDiscount({ limitTotal: 1, limitPerCustomer: 1 });
  const words = "Not XXXXX-XXXXX.";
  const url = await sendNewsletter(code, ["ada@example.com", "ben@example.com"], words);
  const letter = newslettersTo("ada@example.com")[0]?.body;
  expect(letter).toContain(words);
  expect(letter).toContain(
    "10% off any order. Once per customer. This code is yours alone and works once. The offer ends after 1 order.",
  );
  const draft = await readCampaign(url);
  const { rendered, warnings } = (await owner.post(`${path}/check`, draft)).body.data;
  expect(warnings).toEqual([
    `${code} can be used by 1 more order, and 2 readers get a code. Later orders get no discount.`,
  ]);
  expect(rendered.text).toContain("Your code: XXXXX-XXXXX");
  expect((await owner.post(`${url}/test`, {})).status).toBe(202);
  await shop.jobsDone();
  expect(newslettersTo("owner@example.com")[0]?.body).toContain(
    "XXXXX-XXXXX is a sample: each reader gets a code of their own.",
  );
});

test("a personal code cannot be chosen as a newsletter's code", async () => {
  await sendNewsletter((await createDiscount()).code, ["ada@example.com"]);
  const draft = (await owner.post(path, { code: mailedCode("ada@example.com"), body: "Take it." })).body.data;
  expect((await owner.post(`${path}/check`, draft)).body.data.problems.code).toContain("cannot be used now");
});

test("an erasure invalidates a recipient's unused code and unlinks a used one; codes of ended discounts are purged", async () => {
  const { id, code } = await createDiscount();
  const url = await sendNewsletter(code, [
    "ada@example.com",
    "ben@example.com",
    "cid@example.com",
    "dot@example.com",
  ]);
  const [adas, bens, cids, dots] = ["ada", "ben", "cid", "dot"].map((name) =>
    mailedCode(`${name}@example.com`),
  );
  const refunded = await pay(dots ?? "");
  const refund = { reason: "customer_request" };
  expect((await owner.post(`/api/admin/orders/${refunded}/refund`, refund)).status).toBe(200);
  await pay(bens ?? "");
  await shop.jobsDone();
  const { db } = shop.database;
  for (const name of ["ada", "ben", "dot"]) {
    const person = { email: `${name}@example.com`, orderIds: [], visitorIds: [], finishedOrderIds: [] };
    await db.transaction(async (tx) => {
      for (const { erase } of shop.ctx.personalData)
        await erase?.(tx, { ...person, until: new Date() }, shop.ctx);
    });
  }
  expect((await quote(adas ?? "")).discountProblem).toContain("not valid");
  const rows = () => db.select().from(personalCodes).where(eq(personalCodes.discountId, id));
  const linked = (await rows()).map((row) => [row.code, row.recipientId !== null]);
  expect(new Map(linked as [string, boolean][])).toEqual(
    new Map([
      [bens, false],
      [cids, true],
      [dots, false],
    ]),
  );
  await db.update(campaigns).set({ endedAt: new Date(Date.now() - 31 * 86_400_000) });
  await purgeCampaignRecipients(shop.ctx);
  expect((await quote(cids ?? "")).discountProblem).toBeNull();
  expect(await readCampaign(url)).toMatchObject({ sent: 4, codesUsed: 1 });
  await db
    .update(discounts)
    .set({ endsAt: new Date(Date.now() - 31 * 86_400_000) })
    .where(eq(discounts.id, id));
  await purgePersonalCodes(shop.ctx);
  expect((await rows()).map((row) => row.code).sort()).toEqual([bens, dots].sort());
  // A refunded order, whose code can be used again, still counts for the discount.
  const sources = (await owner.get("/api/admin/sources?by=code")).body.data.rows;
  expect(sources).toContainEqual(expect.objectContaining({ name: code, orders: 2 }));
});

const uploadTo = "/api/admin/campaign-pictures";
async function upload(browser: TestBrowser, bytes: Buffer): Promise<{ status: number; file: string }> {
  const form = new FormData();
  form.set("image", new File([new Uint8Array(bytes)], "press.png"));
  const response = await browser.fetch(uploadTo, { method: "POST", body: form });
  return { status: response.status, file: (await response.json()).data?.file };
}

test("an uploaded picture is shown between paragraphs by its absolute URL, and is kept as long as its newsletter", async () => {
  const background = "#b5703a";
  const png = sharp({ create: { width: 600, height: 400, channels: 3, background } }).png();
  const bytes = await png.toBuffer();
  expect((await upload(shop.browser(), bytes)).status).toBe(401);
  expect((await upload(owner, Buffer.from("no picture"))).status).toBe(422);
  const [{ status, file }, unused] = [await upload(owner, bytes), await upload(owner, bytes)];
  expect(status).toBe(201);
  const empty = (await owner.post(path, {})).body.data;
  const check = async (body: string) =>
    (await owner.post(`${path}/check`, { ...empty, subject: "A new harvest", body })).body.data;

  const { rendered, problems } = await check(`One.\n![Bottles & <jars>](${file})\nTwo.`);
  expect(problems).toEqual({});
  const image = `${shop.ctx.config.publicUrl}/images/${file.replace(".jpg", "")}-600.${file.slice(2, 10)}.jpg`;
  expect(rendered.html).toContain(`src="${image}"`);
  expect(rendered.html).toMatch(/alt="Bottles &amp; &lt;jars&gt;" width="536" height="357"/);
  expect(rendered.text).toMatch(/One\.\s+\(Picture: Bottles & <jars>\)\s+Two\./);
  const picture = await shop.browser().fetch(new URL(image).pathname);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);

  const inBrackets = (await check(`One.\n\n![Bottle [50 ml]](${file})`)).rendered.html;
  expect(inBrackets).toContain('alt="Bottle [50 ml]"');

  const ownLine = "a picture has a line of its own";
  for (const [body, sentence] of [
    [`One.\n\n![](${file})`, "Line 3: write what the picture shows"],
    ["One.\n\n![A jar](u-0123456789abcdef.jpg)\n\n# Two", "Line 3: this picture is not in the shop"],
    ["One.\n\n![A jar](u-0123456789abcdef.jpg)\n\n# Two", "Line 5: an email has paragraphs and lists"],
    [`One\nand ![a jar](${file}).`, ownLine],
    [`1. One\n\n![A jar](${file})\n\n2. Two`, "Line 5: below a picture, a numbered list begins at 1"],
    ["![A jar](https://tracker.example/p.gif)", ownLine],
    [`![A jar](${file})\n`.repeat(11), "At most 10 pictures."],
  ] as const)
    expect((await check(body)).problems.body, body).toContain(sentence);

  await owner.post(path, { subject: "Kept", body: `![A jar](${file})` });
  shop.travel(8 * 24 * 3_600_000);
  await purgePictures(shop.ctx);
  shop.travel(-8 * 24 * 3_600_000);
  const { db } = shop.database;
  const originals = await db.select({ file: pictureOriginals.file }).from(pictureOriginals);
  expect(originals.map((row) => row.file)).toContain(file);
  expect(originals.map((row) => row.file)).not.toContain(unused.file);
});
