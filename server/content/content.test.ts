import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { contentKeys } from "../../domain/content/pages.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { activity } from "../admin/tables.ts";
import { settings } from "../settings/tables.ts";
import { checkContent } from "./check.ts";
import { defaultText } from "./default-texts.ts";
import { menuText } from "./menu/menu.ts";
import { contentVersions } from "./tables.ts";

let shop: TestShop;
let admin: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop({ PAYMENTS: "sandbox" });
  admin = await adminBrowser(shop);
});
afterEach(async () => {
  await shop.database.db.delete(contentVersions);
  await shop.database.db.delete(settings);
});
afterAll(() => shop.stop());

const path = "/api/admin/content/returns-policy";
const { text: defaultPolicy } = defaultText("returns-policy");
const written = (body: string) => ({ ...defaultPolicy, body: `${body}\n` });
const read = async () => (await admin.get(path)).body.data;
const publish = (text: unknown, revision: number | null) => admin.post(`${path}/publish`, { text, revision });
const saveDraft = (text: unknown, revision: number | null) =>
  send(admin, "PUT", `${path}/draft`, { text, revision });
const page = async (address = "/returns-policy") => String((await shop.browser().get(address)).body);

test("the default texts have no problems and contain every placeholder that the law requires", () => {
  for (const key of contentKeys) {
    const { problems, warnings } = checkContent(key, defaultText(key).text);
    expect(problems, key).toEqual({});
    expect(
      warnings.filter((warning) => warning.includes("missing")),
      key,
    ).toEqual([]);
  }
});

describe("publishing a text", () => {
  test("shows it at once with current facts in head and body, follows changed settings, and can go back to the default text", async () => {
    expect(await read()).toMatchObject({ revision: null, published: null, draft: null, text: defaultPolicy });
    const text = {
      ...written("## Our promise\n\nSend it back within {{returnDays}}, **really**."),
      title: "Sending back",
    };
    const { status, body } = await publish(text, null);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ text, published: { by: "Owner" }, isShippedNewer: false });
    const html = await page();
    expect(html).toContain("<title>Sending back · Palmira</title>");
    expect(html).toMatch(/Send it back within 30 days, <strong[^>]*>really<\/strong>\./);
    expect(html).not.toContain("The short version");
    await shop.database.db
      .insert(settings)
      .values({ key: "returns", value: { days: 47, minimumRemainingPercent: 61 } });
    await expect.poll(() => page()).toContain("within 47 days,");
    expect((await publish(null, body.data.revision)).body.data).toMatchObject({
      text: defaultPolicy,
      published: null,
    });
    expect(await page()).toContain("The short version");
    const entries = (await shop.database.db.select().from(activity)).filter(
      ({ subject }) => subject === "content:returns-policy",
    );
    expect(entries.map(({ summary }) => summary)).toEqual([
      "“Returns policy” published",
      "“Returns policy” reset to the default text",
    ]);
  });

  test("fills placeholders in title and lead as well, and writes the date of publication into the sitemap", async () => {
    const text = {
      ...defaultPolicy,
      title: "Returns at {{brand}}",
      lead: "You have {{returnDays}} to send it back.",
    };
    const { body } = await publish(text, null);
    const html = await page();
    expect(html).toContain("<title>Returns at Palmira · Palmira</title>");
    expect(html).toContain("You have 30 days to send it back.");
    const entry = /<loc>[^<]*\/returns-policy<\/loc><lastmod>([^<]+)/.exec(await page("/sitemap.xml"));
    expect(entry?.[1]).toBe(body.data.published.at);
    const wrong = { ...text, title: "Returns {{soon}}", lead: "You have {{returnDays} for it." };
    expect((await publish(wrong, body.data.revision)).body.fields).toEqual({
      title: expect.stringContaining("no placeholder {{soon}}"),
      lead: expect.stringContaining("not finished"),
    });
  });

  test("changes the answers of the FAQ on the page and in its structured data", async () => {
    const text = {
      ...defaultText("faq").text,
      body: "## Is it {{brand}}?\n\nYes: {{price}}, [read on](/story).\n",
    };
    const { status } = await admin.post("/api/admin/content/faq/publish", { text, revision: null });
    expect(status).toBe(200);
    const html = await page("/contact");
    expect(html).toContain("Is it Palmira?");
    expect(html).toContain('"acceptedAnswer":{"@type":"Answer","text":"Yes: $29.95, read on."}');
  });

  test.each([
    ["unknown placeholder", "Within {{returnWeeks}}.", "no placeholder {{returnWeeks}}"],
    ["unfinished placeholder", "Within {{returnDays}.", "not finished"],
    ["part among words", "See {{deliveryTable}} here.", "paragraph of its own"],
    ["open condition", "{{#giving}}We give.", "never closed"],
    ["unknown condition", "{{#never}}We give.{{/never}}", "no condition {{#never}}"],
    ["dead anchor", "See [below](#nowhere).", "#nowhere"],
    ["deep lists", `Well.\n${"- ".repeat(15_000)}x`, "Line 2: too many nested lists"],
    ["endless signs", "**a*".repeat(8_000), "too many nested lists or quotes"],
    ["HTML block", "<script>alert(1)</script>", "HTML is not allowed"],
    ["HTML in words", 'Hello <img src=x onerror="alert(1)">', "HTML is not allowed"],
    ["javascript link", "[press](javascript:alert(1))", "a link may lead"],
    ["user name in a link", "[press](https://palmira.example@evil.example/)", "must not have a user name"],
    ["password in a link", "[press](https://a:b@evil.example)", "must not have a user name"],
    ["headers of an email", "[write](mailto:a@example.com?bcc=b@example.com)", "one email address"],
    ["headers in disguise", "[write](mailto:a@example.com%0Abcc:b@example.com)", "one email address"],
    ["several recipients", "[write](mailto:a@example.com,b@example.com)", "one email address"],
    ["hidden javascript link", "[press](JaVa&#115;cript&colon;alert(1))", "a link may lead"],
    ["data link", "<data:text/html,<script>alert(1)</script>>", "Line 1"],
    ["javascript autolink", "<javascript:alert(1)>", "a link may lead"],
    ["another site without a scheme", "[press](//evil.example)", "a link may lead"],
    ["backslash site", "[press](/\\evil.example)", "a link may lead"],
    ["picture", "![x](https://evil.example/x.png)", "pictures cannot"],
    ["reference", "[press][1]\n\n[1]: javascript:alert(1)", "references"],
    ["code", "Hello\n\n    indented", "code"],
  ])("refuses a text with %s, names the line, and changes nothing on the page", async (_, body, sentence) => {
    const { status, body: answer } = await publish(written(body), null);
    expect(status).toBe(422);
    expect(answer.fields.body).toMatch(/^Line \d+: /);
    expect(answer.fields.body).toContain(sentence);
    const checked = await admin.post(`${path}/check`, { text: written(body) });
    expect(checked.status).toBe(200);
    const blocks = JSON.stringify(checked.body.data.blocks);
    expect(blocks).not.toMatch(/"href":"(?!#)/);
    expect(blocks).not.toMatch(/onerror|<script|evil\.example/);
    expect(await page()).toContain("The short version");
  });

  test("escapes text that only looks like HTML", async () => {
    await publish(written("1 \\<b\\> 2 &lt;script&gt;alert(1)&lt;/script&gt;"), null);
    expect(await page()).toContain("1 &lt;b&gt; 2 &lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("warns of missing placeholders that the law requires and of amounts typed by hand", async () => {
    const { body } = await admin.post(`${path}/check`, { text: written("Within 60 days, 20%.") });
    expect(body.data.problems).toEqual({});
    expect(body.data.warnings.join("\n")).toMatch(/\{\{withdrawalDays\}\} is missing[\s\S]*60 days, 20%/);
  });
});

describe("two people who edit one text", () => {
  test("share a draft that no shopper sees; discarding it leaves the published text", async () => {
    const { body } = await saveDraft(written("A draft with {{nothing}}"), null);
    expect(body.data).toMatchObject({ draft: { by: "Owner", text: { body: "A draft with {{nothing}}\n" } } });
    expect(await page()).toContain("The short version");
    const discarded = await saveDraft(null, body.data.revision);
    expect(discarded.body.data).toMatchObject({ draft: null, revision: null });
  });

  test("do not overwrite each other: the later one gets 409 with the current text", async () => {
    const first = await publish(written("First"), null);
    for (const change of [await publish(written("Second"), null), await saveDraft(written("Second"), null)]) {
      expect(change.status).toBe(409);
      expect(change.body.current).toMatchObject({
        text: { body: "First\n" },
        revision: first.body.data.revision,
      });
    }
    const draft = await saveDraft(written("Draft"), first.body.data.revision);
    expect((await publish(written("Third"), first.body.data.revision)).status).toBe(409);
    expect((await publish(written("Third"), draft.body.data.revision)).body.data).toMatchObject({
      draft: null,
      text: { body: "Third\n" },
    });
  });

  test("add one version when both publish the same text at once, and only one wins with different texts", async () => {
    const same = await Promise.all([publish(written("Same"), null), publish(written("Same"), null)]);
    expect(same.map(({ status }) => status)).toEqual([200, 200]);
    expect(await shop.database.db.$count(contentVersions)).toBe(1);
    const { revision } = await read();
    const two = await Promise.all([publish(written("One"), revision), publish(written("Two"), revision)]);
    expect(two.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

test("the history lists every publication in pages, and an old version can be published again", async () => {
  let revision: number | null = null;
  for (const body of ["One", "Two", "Three"])
    revision = (await publish(written(body), revision)).body.data.revision;
  const first = (await admin.get(`${path}/versions?limit=2`)).body;
  const second = (await admin.get(`${path}/versions?limit=2&cursor=${first.nextCursor}`)).body;
  const versions = [...first.data, ...second.data];
  expect(versions.map(({ text }) => text.body)).toEqual(["Three\n", "Two\n", "One\n"]);
  expect(second.nextCursor).toBeNull();
  await publish(versions[2].text, revision);
  expect(await page()).toContain("<p>One</p>");
});

test("a new default text is shown where the owner never edited it, and the editor reports it where they did", async () => {
  await publish(written("Mine"), null);
  await shop.database.db.update(contentVersions).set({ defaultHash: "of-an-older-version" });
  expect(await read()).toMatchObject({
    isShippedNewer: true,
    shipped: defaultPolicy,
    text: { body: "Mine\n" },
  });
  const { revision } = await read();
  expect((await publish(written("Mine"), revision)).body.data.isShippedNewer).toBe(false);
});

test("the default text is shown when the published one was written by a later version and cannot be read", async () => {
  for (const text of [written("{{ofALaterVersion}}"), { layout: "later" }]) {
    await shop.database.db.delete(contentVersions);
    await shop.database.db.insert(contentVersions).values({
      key: "returns-policy",
      text,
      defaultHash: "x",
      createdAt: new Date(),
      publishedAt: new Date(),
    });
    await expect.poll(() => page()).toContain("The short version");
    expect((await read()).text.body).toBeTruthy();
  }
});

test.each([
  ["returns-policy", "/returns-policy", ""],
  ["story", "/story", ""],
  ["faq", "/contact", "## May I write?\n\n"],
] as const)(
  "links in %s that older versions allowed become plain words, and publishing the text again refuses them with their line",
  async (key, address, before) => {
    const body = `${before}Do [write to us](mailto:a@example.com?subject=Hello), or [look there](https://a:b@evil.example/).\n`;
    const text = { ...defaultText(key).text, body };
    await shop.database.db
      .insert(contentVersions)
      .values({ key, text, defaultHash: "x", createdAt: new Date(), publishedAt: new Date() });
    await expect.poll(() => page(address)).toContain("Do write to us, or look there.");
    expect(await page(address)).not.toContain("evil.example");
    const current = (await admin.get(`/api/admin/content/${key}`)).body.data;
    expect(current.text.body).toBe(body);
    const { status, body: answer } = await admin.post(`/api/admin/content/${key}/publish`, {
      text: { ...current.text, body: `${body}\nMore.\n` },
      revision: current.revision,
    });
    expect([status, Object.keys(answer.fields)]).toEqual([422, ["body"]]);
    expect(answer.fields.body).toMatch(
      /^Line (\d): mailto: must be followed by one email address.*\nLine \1: an address must not have a user name/,
    );
  },
);

test("a product description is plain text: an address in it is stored and shown, but is no link", async () => {
  const [product] = (await shop.browser().get("/api/products")).body.data;
  const description = "[Look](https://a:b@evil.example/) or mailto:a@example.com?subject=Hello";
  expect((await send(admin, "PATCH", `/api/admin/products/${product.id}`, { description })).status).toBe(200);
  await expect.poll(() => page(`/product/${product.slug}`)).toContain("[Look](https://a:b@evil.example/)");
  expect(await page(`/product/${product.slug}`)).not.toMatch(/href="[^"]*(?:evil\.example|\?subject=)/);
});

describe("the menu", () => {
  const menuPath = "/api/admin/menu";
  const { defaultText: own } = menuText();
  const publishMenu = (text: unknown, revision: number | null = null) =>
    admin.post(`${menuPath}/publish`, { text, revision });
  const link = (label: string, to: string, isHidden = false) => ({ label, to, isHidden });
  const part = (html: string, name: string) =>
    new RegExp(`<nav aria-label="${name}".*?</nav>`, "s").exec(html)?.[0] ?? "";

  test("is shown at once on every page without hidden links, and can go back to the default menu", async () => {
    const header = [
      link("Buy", "first-product"),
      link("Reviews", "/reviews", true),
      link("Blog", "https://blog.example.com/a?b=1"),
    ];
    const { status, body } = await publishMenu({ ...own, header });
    expect(status).toBe(200);
    for (const address of ["/", "/terms"]) {
      const html = part(await page(address), "Main");
      expect(html).toMatch(
        /href="\/product\/pure-batana-oil"[^>]*>Buy<.*href="https:\/\/blog.example.com\/a\?b=1"/s,
      );
      expect(html).not.toMatch(/Reviews|Benefits/);
    }
    const newer = await publishMenu(own);
    expect(newer.status).toBe(409);
    expect(newer.body.current.text.header).toEqual(header);
    expect((await publishMenu(null, body.data.revision)).body.data.published).toBeNull();
    expect(part(await page(), "Main")).toContain("Benefits");
  });

  test("leaves out a link to a product that is not published", async () => {
    await publishMenu({ ...own, header: [link("Oil", "/product/pure-batana-oil"), link("Story", "/story")] });
    const published = (value: boolean) =>
      shop.database.pool.query("update products set published = $1", [value]);
    await published(false);
    await expect.poll(async () => part(await page(), "Main")).not.toContain("Oil");
    expect(part(await page(), "Main")).toContain("Story");
    await published(true);
    await expect.poll(async () => part(await page(), "Main")).toContain("Oil");
  });

  test.each([
    ["header.0.to", "another shop by http", { header: [link("Blog", "http://example.com")] }],
    ["header.0.to", "a script", { header: [link("Blog", "javascript:alert(1)")] }],
    ["header.0.to", "an address without a scheme", { header: [link("Blog", "//example.com")] }],
    ["header.0.to", "an address with a name in it", { header: [link("Blog", "https://a:b@example.com/")] }],
    ["header.0.to", "a page that is not there", { header: [link("Blog", "/blog")] }],
    ["header.0.to", "the panel", { header: [link("Panel", "/admin")] }],
    ["header.0.to", "a product that is not there", { header: [link("Soap", "/product/soap")] }],
    ["header.0.label", "an empty label", { header: [link(" ", "/story")] }],
    ["header.0.label", "nothing to be seen", { header: [link("\u200b", "/story")] }],
    ["header.0.label", "turned letters", { header: [link("Our \u202eyrots", "/story")] }],
    ["header.0.label", "a word too long for phones", { header: [link("x".repeat(15), "/story")] }],
    [
      "header",
      "more than the header holds",
      {
        header: ["/story", "/benefits", "/orders", "/reviews", "/cart", "/account"].map((to) =>
          link("A", to),
        ),
      },
    ],
    ["header.1.to", "the same place twice", { header: [link("A", "/story"), link("B", "/story")] }],
    ["footer", "a footer without the privacy policy", { legal: [link("Terms", "/terms")] }],
    ["footer", "a hidden policy", { legal: [link("Privacy", "/privacy", true), link("Terms", "/terms")] }],
  ])("refuses at %s: %s", async (field, _, changes) => {
    const text = { ...own, ...changes };
    const { status, body } = await publishMenu(text);
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
    expect((await admin.post(`${menuPath}/check`, { text })).body.data.problems).toEqual(body.fields);
  });
});
