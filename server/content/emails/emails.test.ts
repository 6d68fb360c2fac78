import { eq } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { EmailFieldTexts } from "../../../domain/content/emails/email-edit.ts";
import { type EmailTextKind, emailTextKinds } from "../../../domain/content/emails/texts.ts";
import { adminBrowser, send } from "../../../test/admin.ts";
import { keptMail } from "../../../test/kept-mail.ts";
import { openTestShop } from "../../../test/shop.ts";
import { issues } from "../../issues/tables.ts";
import { contentVersions } from "../tables.ts";
import { defaultEmail } from "./default-texts.ts";

const shop = await openTestShop(
  { PAYMENTS: "sandbox", OWNER_EMAIL: "owner@example.com" },
  { background: "all" },
);
const admin = await adminBrowser(shop);
afterEach(() => shop.database.db.delete(contentVersions));
afterAll(() => shop.stop());

const emailTextPath = (kind: EmailTextKind) => `/api/admin/email-texts/${kind}`;
const defaultTextWith = (kind: EmailTextKind, words: EmailFieldTexts) => ({
  ...defaultEmail(kind).text,
  ...words,
});
const publish = (kind: EmailTextKind, text: EmailFieldTexts | null, revision: number | null = null) =>
  admin.post(`${emailTextPath(kind)}/publish`, { text, revision });
const check = (kind: EmailTextKind, text: EmailFieldTexts, sample = 0) =>
  admin.post(`${emailTextPath(kind)}/check`, { text, sample });

/** Sends a message to the shop, and returns the text part of the e-mailed receipt. */
async function requestReceipt(email: string): Promise<string> {
  const message = { name: "Ada", subject: "order", message: "Where is it?" };
  expect((await shop.browser().post("/api/contact", { ...message, email })).status).toBe(201);
  await shop.jobsDone();
  return keptMail(shop, email, "contact_receipt").at(-1) ?? "";
}

async function signUp(email: string): Promise<string> {
  await shop.browser().post("/api/newsletter", { email });
  await shop.jobsDone();
  return keptMail(shop, email, "newsletter_confirm").at(-1) ?? "";
}

const readIssues = (kind: string) =>
  shop.database.db
    .select({ message: issues.message, resolvedAt: issues.resolvedAt })
    .from(issues)
    .where(eq(issues.kind, kind));

async function storePublished(kind: EmailTextKind, text: unknown): Promise<void> {
  const at = new Date();
  const key = `email:${kind}`;
  await shop.database.db
    .insert(contentVersions)
    .values({ key, text, defaultHash: "x", createdAt: at, publishedAt: at });
}

test("the default texts render every sample of every e-mail without problems or warnings", async () => {
  for (const kind of emailTextKinds) {
    const { samples } = (await admin.get(emailTextPath(kind))).body.data;
    for (const [sample, name] of samples.entries()) {
      const { problems, warnings, rendered } = (await check(kind, defaultEmail(kind).text, sample)).body.data;
      expect({ problems, warnings }, `${kind}: ${name}`).toEqual({ problems: {}, warnings: [] });
      for (const part of [rendered.subject, rendered.html, rendered.text]) {
        expect(part, `${kind}: ${name}`).not.toMatch(/\{\{|\}\}|undefined|null/);
      }
      // Only e-mails about goods link to the returns policy in the footer.
      const isAboutGoods = kind === "order_confirmation" || kind === "order_shipped";
      expect(rendered.html.includes("/returns-policy"), kind).toBe(isAboutGoods);
    }
  }
});

test("an e-mail begins with its main fact, and so does its preview in the inbox", async () => {
  const render = async (kind: EmailTextKind, sample = 0) =>
    (await check(kind, defaultEmail(kind).text, sample)).body.data.rendered;
  const confirmation = await render("order_confirmation");
  expect(confirmation.text).toMatch(/^Thank you for your order\n\nIt arrives Nov 27 – Dec 2\n\n/);
  expect(confirmation.html).toMatch(/display:none[^>]*>It arrives Nov 27 – Dec 2\. Your payment of \$/);
  expect((await render("order_shipped")).text).toMatch(
    /^Your order is on its way\n\nArrives Nov 27 – Dec 2\n/,
  );
  expect((await render("order_called_off")).text).toMatch(
    /^Your order is cancelled\n\n\$64\.85 goes back to you\n/,
  );
  expect((await render("refund_sent")).text).toMatch(/^\$20\.00 is on its way back to you\n/);
  expect((await render("items_to_pay")).text).toMatch(
    /^A change to your order\n\nPlease pay by Nov 20(, 2026)?\n/,
  );
});

test("an e-mail breaks neither a product's size nor the sentence with the phone number over two lines", async () => {
  const response = await send(admin, "PATCH", "/api/admin/settings", {
    contact: { phone: "+1 512-555-0123" },
  });
  expect(response.status).toBe(200);
  expect(
    (await admin.post("/api/admin/products/1/sizes", { size: "4 fl oz", price: 5295, stock: 1 })).status,
  ).toBe(201);
  const { html, text } = (await check("order_confirmation", defaultEmail("order_confirmation").text)).body
    .data.rendered;
  expect(html).toContain("Pure Batana Oil, 2\u00a0fl\u00a0oz\u00a0/\u00a060\u00a0ml");
  expect(html).toMatch(/white-space:nowrap[^>]*>Call us: \+1 512-555-0123\.</);
  expect(text).toContain("Pure Batana Oil, 2 fl oz / 60 ml");
});

test("an e-mail keeps a time of day, the invitation to ask and the link to help each on one line", async () => {
  const contact = { email: "help@example.com" };
  expect((await send(admin, "PATCH", "/api/admin/settings", { contact })).status).toBe(200);
  const { text } = defaultEmail("withdrawal_received");
  const { html } = (await check("withdrawal_received", text)).body.data.rendered;
  expect(html).toMatch(/white-space:nowrap[^>]*>3:04 PM</);
  expect(html).toMatch(/white-space:nowrap[^>]*>Questions\? Just reply to this email\.</);
  expect(html).toMatch(/white-space:nowrap[^>]*>Help and contact</);
});

test("items of an order edit or exchange are listed by what happens to them", async () => {
  const render = async (kind: EmailTextKind) =>
    (await check(kind, defaultEmail(kind).text)).body.data.rendered;
  const exchange = await render("exchange_begun");
  expect(exchange.html).toMatch(
    /<td[^>]*>You’re returning<\/td><td[^>]*>(<span>)?1\u00a0×\u00a0Pure Batana Oil/,
  );
  expect(exchange.text).toContain(
    "\nYou’re returning: 1 × Pure Batana Oil, 2 fl oz / 60 ml\nYou’re getting: 2 × Pure Batana Oil",
  );
  const { html, text } = await render("items_to_pay");
  expect(text).toMatch(/\nAdded: 2 × Pure Batana Oil/);
  expect(html).not.toContain("Removed");
});

test("the welcome to the newsletter shows the shop's main product", async () => {
  const { html } = (await check("newsletter_welcome", defaultEmail("newsletter_welcome").text)).body.data
    .rendered;
  expect(html).toMatch(/<a [^>]*><img src="[^"]*\/images\/[^"]*" alt="Pure Batana Oil/);
});

test("an e-mail names the shop's web fonts, which mail programs may load", async () => {
  const { html } = (await check("contact_receipt", defaultEmail("contact_receipt").text)).body.data.rendered;
  const fonts = [...html.matchAll(/url\(([^)]+\.woff2)\)/g)].map(([, address]) => new URL(address).pathname);
  expect(fonts).toHaveLength(2);
  for (const font of fonts) {
    const { status, headers } = await shop.browser().fetch(font);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  }
});

describe("publishing the text of an e-mail", () => {
  test("changes the next e-mail, with facts filled in and HTML escaped, and can be undone", async () => {
    const text = defaultTextWith("contact_receipt", {
      subject: "We have it: {{reference}}",
      greeting: "x",
      opening: "**Hi & \\<welcome\\>.** Your number: {{ reference }}.\n\n- See [returns](/returns-policy)",
    });
    expect((await publish("contact_receipt", text)).body.fields).toEqual({
      greeting: "This email has no such field",
    });
    const { greeting: _, ...validText } = text;
    const published = await publish("contact_receipt", validText);
    expect(published.body.data).toMatchObject({ text: validText, published: { by: "Owner" } });

    const mail = await requestReceipt("reads@example.com");
    expect(mail).toMatch(/^Subject: We have it: M-\d+$/m);
    expect(mail).toMatch(/^Hi & <welcome>. Your number: M-\d+.$/m);
    expect(mail).toContain(`- See returns (${shop.ctx.config.publicUrl}/returns-policy)`);
    const { html } = (await check("contact_receipt", validText)).body.data.rendered;
    expect(html).toContain("<strong>Hi &amp; &lt;welcome&gt;.</strong> Your number: M-1042.");

    await publish("contact_receipt", null, published.body.data.revision);
    expect(await requestReceipt("later@example.com")).toContain("A person will read it");
  });

  test.each([
    ["subject", "Hello {{orderNumbr}}", "no placeholder {{orderNumbr}}"],
    ["subject", "Your order is on its way", "{{orderNumber}} is missing"],
    ["subject", "Order #{{orderNumber}", "not finished"],
    ["subject", "Order #{{orderNumber}}\nBcc: all@example.com", "one line"],
    ["subject", "Order \u202e{{orderNumber}}", "direction of text"],
    ["heading", "", "write something"],
    ["heading", "{{deliverySentence}}", "Says nothing in the case “Without a tracking number”"],
    ["heading", "On its way".repeat(20), "At most 100"],
    ["opening", "{{goods}} left.", "{{carrier}} is missing"],
    ["opening", "{{goods}} {{carrier}} <img src=x onerror=alert(1)>", "HTML is not allowed"],
    ["opening", "{{goods}} {{carrier}} [x](javascript:alert(1))", "a link may lead"],
    ["opening", "# {{goods}} {{carrier}}", "paragraphs and lists"],
    ["opening", "{{goods}} {{carrier}} {{#giving}}x{{/giving}}", "no condition"],
    ["tracking", "Tracking number.", "{{trackingNumber}} is missing"],
  ])("refuses the %s “%s” and names the field", async (field, value, problem) => {
    const text = defaultTextWith("order_shipped", { [field]: value });
    const { status, body } = await publish("order_shipped", text);
    expect(status).toBe(422);
    expect(Object.keys(body.fields)).toEqual([field]);
    expect(body.fields[field]).toContain(problem);
    const checked = (await check("order_shipped", text)).body.data;
    expect(checked.rendered).toBeNull();
    expect(checked.problems[field]).toContain(problem);
  });
});

test("an outdated edit of an e-mail is refused, a draft changes no e-mail sent, and the history lists each version", async () => {
  const first = await publish("contact_receipt", defaultTextWith("contact_receipt", { heading: "One" }));
  const revision = first.body.data.revision;
  const path = emailTextPath("contact_receipt");
  const text = defaultTextWith("contact_receipt", { heading: "Two" });
  expect((await publish("contact_receipt", text)).body).toMatchObject({
    current: { revision, text: { heading: "One" } },
  });
  const draft = await send(admin, "PUT", `${path}/draft`, { text, revision });
  expect(draft.body.data).toMatchObject({ draft: { text }, text: { heading: "One" } });
  expect(await requestReceipt("draft@example.com")).toContain("\nOne\n");
  expect((await publish("contact_receipt", text, draft.body.data.revision)).body.data.draft).toBeNull();
  const versions = (await admin.get(`${path}/versions`)).body.data;
  expect(versions.map(({ text }: { text: EmailFieldTexts }) => text.heading)).toEqual(["Two", "One"]);
});

describe("an e-mail whose published text has a problem", () => {
  test("shows a link that only older versions allowed as plain text, and is refused when published again", async () => {
    const opening =
      "Number {{reference}}: [write](mailto:a@example.com?subject=x), [look](https://a:b@evil.example).";
    await storePublished("contact_receipt", defaultTextWith("contact_receipt", { opening }));
    const mail = await requestReceipt("older-link@example.com");
    expect(mail).toMatch(/^Number M-\d+: write, look\.$/m);
    const { text, revision } = (await admin.get(emailTextPath("contact_receipt"))).body.data;
    expect(text.opening).toBe(opening);
    const republished = await publish("contact_receipt", { ...text, heading: "Hello" }, revision);
    expect([republished.status, Object.keys(republished.body.fields)]).toEqual([422, ["opening"]]);
    expect(republished.body.fields.opening).toMatch(/^Line 1: mailto: must/);
    await shop.database.db.delete(contentVersions);
  });

  test("is sent with the default text if a field turns out empty, and raises one issue", async () => {
    await storePublished("newsletter_confirm", { heading: "{{offer}}" });
    for (const email of ["one@example.com", "two@example.com"]) {
      expect(await signUp(email)).toContain("One tap and you’re in");
    }
    expect(await readIssues("email_text_failed")).toEqual([
      { message: expect.stringContaining("“Newsletter sign-up, to be confirmed”"), resolvedAt: null },
    ]);
    expect(shop.logLines.join()).toContain("text could not be used");
  });

  test("is sent with the default text if a later version wrote it; its issue closes once the text is removed", async () => {
    const runWatchJob = async () => {
      await shop.database.pool.query("update jobs set run_at = now() where key = 'every:watch_email_texts'");
      await shop.jobsDone();
    };
    await storePublished("contact_receipt", { heading: "{{ofALaterVersion}}" });
    await storePublished("contact_reply", { heading: 7 });
    expect(await requestReceipt("unreadable@example.com")).toContain("Thank you for writing");
    await runWatchJob();
    expect((await readIssues("email_text_unreadable")).map(({ resolvedAt }) => resolvedAt)).toEqual([
      null,
      null,
    ]);
    await shop.database.db.delete(contentVersions);
    await runWatchJob();
    expect((await readIssues("email_text_unreadable")).map(({ resolvedAt }) => resolvedAt)).toEqual([
      expect.any(Date),
      expect.any(Date),
    ]);
  });
});

test("a test e-mail is sent to the owner with the text as typed, and its subject begins with Test", async () => {
  const text = defaultTextWith("order_shipped", { heading: "Off it goes" });
  const { status, body } = await admin.post(`${emailTextPath("order_shipped")}/test`, { text, sample: 1 });
  expect(status).toBe(202);
  expect(body.data).toMatchObject({ to: "owner@example.com", isSent: false });
  await shop.jobsDone();
  const [mail = ""] = keptMail(shop, "owner@example.com", "email_text_test");
  expect(mail).toContain("Subject: Test: Part of your Palmira order #1065 is on its way");
});
