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
const policyWith = (body: string) => ({ ...defaultPolicy, body: `${body}\n` });
const readEditor = async () => (await admin.get(path)).body.data;
const publish = (text: unknown, revision: number | null) => admin.post(`${path}/publish`, { text, revision });
const saveDraft = (text: unknown, revision: number | null) =>
  send(admin, "PUT", `${path}/draft`, { text, revision });
const readPage = async (path = "/returns-policy") => String((await shop.browser().get(path)).body);

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
  test("shows it immediately with current facts, follows changed settings, and can be undone", async () => {
    expect(await readEditor()).toMatchObject({
      revision: null,
      published: null,
      draft: null,
      text: defaultPolicy,
    });
    const text = {
      ...policyWith("## Our promise\n\nSend it back within {{returnDays}}, **really**."),
      title: "Sending back",
    };
    const { status, body } = await publish(text, null);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ text, published: { by: "Owner" }, isShippedNewer: false });
    const html = await readPage();
    expect(html).toContain("<title>Sending back · Palmira</title>");
    expect(html).toMatch(/Send it back within 30 days, <strong[^>]*>really<\/strong>\./);
    expect(html).not.toContain("The short version");
    await shop.database.db
      .insert(settings)
      .values({ key: "returns", value: { days: 47, minimumRemainingPercent: 61 } });
    await expect.poll(() => readPage()).toContain("within 47 days,");
    expect((await publish(null, body.data.revision)).body.data).toMatchObject({
      text: defaultPolicy,
      published: null,
    });
    expect(await readPage()).toContain("The short version");
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
    const html = await readPage();
    expect(html).toContain("<title>Returns at Palmira · Palmira</title>");
    expect(html).toContain("You have 30 days to send it back.");
    const entry = /<loc>[^<]*\/returns-policy<\/loc><lastmod>([^<]+)/.exec(await readPage("/sitemap.xml"));
    expect(entry?.[1]).toBe(body.data.published.at);
    const invalidText = { ...text, title: "Returns {{soon}}", lead: "You have {{returnDays} for it." };
    expect((await publish(invalidText, body.data.revision)).body.fields).toEqual({
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
    const html = await readPage("/contact");
    expect(html).toContain("Is it Palmira?");
    expect(html).toContain('"acceptedAnswer":{"@type":"Answer","text":"Yes: $29.95, read on."}');
  });

  test.each([
    ["unknown placeholder", "Within {{returnWeeks}}.", "no placeholder {{returnWeeks}}"],
    ["unfinished placeholder", "Within {{returnDays}.", "not finished"],
    ["table in a sentence", "See {{deliveryTable}} here.", "paragraph of its own"],
    ["open condition", "{{#giving}}We give.", "never closed"],
    ["unknown condition", "{{#never}}We give.{{/never}}", "no condition {{#never}}"],
    ["dead anchor", "See [below](#nowhere).", "#nowhere"],
    ["deep lists", `Well.\n${"- ".repeat(15_000)}x`, "Line 2: too many nested lists"],
    ["thousands of unclosed markers", "**a*".repeat(8_000), "too many nested lists or quotes"],
    ["thousands of open brackets", "[[a]".repeat(8_000), "too many *, _ and ["],
    ["thousands of underlined headings", "a\n=\n".repeat(9_000), "Line 1001: too many nested"],
    ["HTML block", "<script>alert(1)</script>", "HTML is not allowed"],
    ["HTML in a sentence", 'Hello <img src=x onerror="alert(1)">', "HTML is not allowed"],
    ["javascript link", "[press](javascript:alert(1))", "a link may lead"],
    ["link with a user name", "[press](https://palmira.example@evil.example/)", "must not have a user name"],
    ["link with a password", "[press](https://a:b@evil.example)", "must not have a user name"],
    ["mailto link with headers", "[write](mailto:a@example.com?bcc=b@example.com)", "one email address"],
    ["encoded headers", "[write](mailto:a@example.com%0Abcc:b@example.com)", "one email address"],
    ["several recipients", "[write](mailto:a@example.com,b@example.com)", "one email address"],
    ["hidden javascript link", "[press](JaVa&#115;cript&colon;alert(1))", "a link may lead"],
    ["data link", "<data:text/html,<script>alert(1)</script>>", "Line 1"],
    ["javascript autolink", "<javascript:alert(1)>", "a link may lead"],
    ["link to another site without a scheme", "[press](//evil.example)", "a link may lead"],
    ["another site after a backslash", "[press](/\\evil.example)", "a link may lead"],
    ["picture", "![x](https://evil.example/x.png)", "pictures cannot"],
    ["link by reference", "[press][1]\n\n[1]: javascript:alert(1)", "references"],
    ["code", "Hello\n\n    indented", "code"],
  ])("refuses a text with %s, names the line, and changes nothing on the page", async (_, body, problem) => {
    const { status, body: response } = await publish(policyWith(body), null);
    expect(status).toBe(422);
    expect(response.fields.body).toMatch(/^Line \d+: /);
    expect(response.fields.body).toContain(problem);
    const checked = await admin.post(`${path}/check`, { text: policyWith(body) });
    expect(checked.status).toBe(200);
    const blocks = JSON.stringify(checked.body.data.blocks);
    expect(blocks).not.toMatch(/"href":"(?!#)/);
    expect(blocks).not.toMatch(/onerror|<script|evil\.example/);
    expect(await readPage()).toContain("The short version");
  });

  test("escapes text that only looks like HTML", async () => {
    await publish(policyWith("1 \\<b\\> 2 &lt;script&gt;alert(1)&lt;/script&gt;"), null);
    expect(await readPage()).toContain("1 &lt;b&gt; 2 &lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("warns of missing placeholders that the law requires and of amounts typed by hand", async () => {
    const { body } = await admin.post(`${path}/check`, { text: policyWith("Within 60 days, 20%.") });
    expect(body.data.problems).toEqual({});
    expect(body.data.warnings.join("\n")).toMatch(/\{\{withdrawalDays\}\} is missing[\s\S]*60 days, 20%/);
  });
});

describe("two people who edit the same text", () => {
  test("share a draft that no shopper sees; discarding it leaves the published text", async () => {
    const { body } = await saveDraft(policyWith("A draft with {{nothing}}"), null);
    expect(body.data).toMatchObject({ draft: { by: "Owner", text: { body: "A draft with {{nothing}}\n" } } });
    expect(await readPage()).toContain("The short version");
    const discarded = await saveDraft(null, body.data.revision);
    expect(discarded.body.data).toMatchObject({ draft: null, revision: null });
  });

  test("do not overwrite each other: the second one gets 409 with the current text", async () => {
    const first = await publish(policyWith("First"), null);
    for (const change of [
      await publish(policyWith("Second"), null),
      await saveDraft(policyWith("Second"), null),
    ]) {
      expect(change.status).toBe(409);
      expect(change.body.current).toMatchObject({
        text: { body: "First\n" },
        revision: first.body.data.revision,
      });
    }
    const draft = await saveDraft(policyWith("Draft"), first.body.data.revision);
    expect((await publish(policyWith("Third"), first.body.data.revision)).status).toBe(409);
    expect((await publish(policyWith("Third"), draft.body.data.revision)).body.data).toMatchObject({
      draft: null,
      text: { body: "Third\n" },
    });
  });

  test("add one version if both publish the same text at the same time; of two different texts only one is published", async () => {
    const sameTexts = await Promise.all([
      publish(policyWith("Same"), null),
      publish(policyWith("Same"), null),
    ]);
    expect(sameTexts.map(({ status }) => status)).toEqual([200, 200]);
    expect(await shop.database.db.$count(contentVersions)).toBe(1);
    const { revision } = await readEditor();
    const differentTexts = await Promise.all([
      publish(policyWith("One"), revision),
      publish(policyWith("Two"), revision),
    ]);
    expect(differentTexts.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

test("the paginated history lists every publication, and an old version can be published again", async () => {
  let revision: number | null = null;
  for (const body of ["One", "Two", "Three"])
    revision = (await publish(policyWith(body), revision)).body.data.revision;
  const first = (await admin.get(`${path}/versions?limit=2`)).body;
  const second = (await admin.get(`${path}/versions?limit=2&cursor=${first.nextCursor}`)).body;
  const versions = [...first.data, ...second.data];
  expect(versions.map(({ text }) => text.body)).toEqual(["Three\n", "Two\n", "One\n"]);
  expect(second.nextCursor).toBeNull();
  await publish(versions[2].text, revision);
  expect(await readPage()).toContain("<p>One</p>");
});

test("the editor of a published text reports a newer default text until the text is published again", async () => {
  await publish(policyWith("Mine"), null);
  await shop.database.db.update(contentVersions).set({ defaultHash: "of-an-older-version" });
  expect(await readEditor()).toMatchObject({
    isShippedNewer: true,
    shipped: defaultPolicy,
    text: { body: "Mine\n" },
  });
  const { revision } = await readEditor();
  expect((await publish(policyWith("Mine"), revision)).body.data.isShippedNewer).toBe(false);
});

test("the default text is shown when the published one was written by a later version and cannot be read", async () => {
  for (const text of [policyWith("{{ofALaterVersion}}"), { layout: "later" }]) {
    await shop.database.db.delete(contentVersions);
    await shop.database.db.insert(contentVersions).values({
      key: "returns-policy",
      text,
      defaultHash: "x",
      createdAt: new Date(),
      publishedAt: new Date(),
    });
    await expect.poll(() => readPage()).toContain("The short version");
    expect((await readEditor()).text.body).toBeTruthy();
  }
});

test.each([
  ["returns-policy", "/returns-policy", ""],
  ["story", "/story", ""],
  ["faq", "/contact", "## May I write?\n\n"],
] as const)(
  "links in %s that only older versions allowed are shown as plain text, and refused when published again",
  async (key, path, before) => {
    const body = `${before}Do [write to us](mailto:a@example.com?subject=Hello), or [look there](https://a:b@evil.example/).\n`;
    const text = { ...defaultText(key).text, body };
    await shop.database.db
      .insert(contentVersions)
      .values({ key, text, defaultHash: "x", createdAt: new Date(), publishedAt: new Date() });
    await expect.poll(() => readPage(path)).toContain("Do write to us, or look there.");
    expect(await readPage(path)).not.toContain("evil.example");
    const current = (await admin.get(`/api/admin/content/${key}`)).body.data;
    expect(current.text.body).toBe(body);
    const { status, body: response } = await admin.post(`/api/admin/content/${key}/publish`, {
      text: { ...current.text, body: `${body}\nMore.\n` },
      revision: current.revision,
    });
    expect([status, Object.keys(response.fields)]).toEqual([422, ["body"]]);
    expect(response.fields.body).toMatch(
      /^Line (\d): mailto: must be followed by one email address.*\nLine \1: an address must not have a user name/,
    );
  },
);

test("a product description is plain text: a URL in it is stored and shown, but is not a link", async () => {
  const [product] = (await shop.browser().get("/api/products")).body.data;
  const description = "[Look](https://a:b@evil.example/) or mailto:a@example.com?subject=Hello";
  expect((await send(admin, "PATCH", `/api/admin/products/${product.id}`, { description })).status).toBe(200);
  await expect
    .poll(() => readPage(`/product/${product.slug}`))
    .toContain("[Look](https://a:b@evil.example/)");
  expect(await readPage(`/product/${product.slug}`)).not.toMatch(/href="[^"]*(?:evil\.example|\?subject=)/);
});

describe("the menu", () => {
  const menuPath = "/api/admin/menu";
  const { defaultText: defaultMenu } = menuText();
  const publishMenu = (text: unknown, revision: number | null = null) =>
    admin.post(`${menuPath}/publish`, { text, revision });
  const link = (label: string, to: string, isHidden = false) => ({ label, to, isHidden });
  const navigationIn = (html: string, name: string) =>
    new RegExp(`<nav aria-label="${name}".*?</nav>`, "s").exec(html)?.[0] ?? "";

  test("is shown immediately on every page without its hidden links, and can be reset to the default", async () => {
    const header = [
      link("Buy", "first-product"),
      link("Reviews", "/reviews", true),
      link("Blog", "https://blog.example.com/a?b=1"),
    ];
    const { status, body } = await publishMenu({ ...defaultMenu, header });
    expect(status).toBe(200);
    for (const path of ["/", "/terms"]) {
      const html = navigationIn(await readPage(path), "Main");
      expect(html).toMatch(
        /href="\/product\/pure-batana-oil"[^>]*>Buy<.*href="https:\/\/blog.example.com\/a\?b=1"/s,
      );
      expect(html).not.toMatch(/Reviews|Benefits/);
    }
    const outdated = await publishMenu(defaultMenu);
    expect(outdated.status).toBe(409);
    expect(outdated.body.current.text.header).toEqual(header);
    expect((await publishMenu(null, body.data.revision)).body.data.published).toBeNull();
    expect(navigationIn(await readPage(), "Main")).toContain("Benefits");
  });

  test("leaves out a link to a product that is not published", async () => {
    await publishMenu({
      ...defaultMenu,
      header: [link("Oil", "/product/pure-batana-oil"), link("Story", "/story")],
    });
    const setPublished = (value: boolean) =>
      shop.database.pool.query("update products set published = $1", [value]);
    await setPublished(false);
    await expect.poll(async () => navigationIn(await readPage(), "Main")).not.toContain("Oil");
    expect(navigationIn(await readPage(), "Main")).toContain("Story");
    await setPublished(true);
    await expect.poll(async () => navigationIn(await readPage(), "Main")).toContain("Oil");
  });

  test.each([
    ["header.0.to", "another shop by http", { header: [link("Blog", "http://example.com")] }],
    ["header.0.to", "a script", { header: [link("Blog", "javascript:alert(1)")] }],
    ["header.0.to", "an address without a scheme", { header: [link("Blog", "//example.com")] }],
    ["header.0.to", "an address with a user name", { header: [link("Blog", "https://a:b@example.com/")] }],
    ["header.0.to", "an unknown page", { header: [link("Blog", "/blog")] }],
    ["header.0.to", "the panel", { header: [link("Panel", "/admin")] }],
    ["header.0.to", "an unknown product", { header: [link("Soap", "/product/soap")] }],
    ["header.0.label", "an empty label", { header: [link(" ", "/story")] }],
    ["header.0.label", "an invisible label", { header: [link("\u200b", "/story")] }],
    ["header.0.label", "a label with reversed letters", { header: [link("Our \u202eyrots", "/story")] }],
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
    ["header.1.to", "two links to one page", { header: [link("A", "/story"), link("B", "/story")] }],
    ["footer", "a footer without the privacy policy", { legal: [link("Terms", "/terms")] }],
    [
      "footer",
      "a hidden privacy policy",
      { legal: [link("Privacy", "/privacy", true), link("Terms", "/terms")] },
    ],
  ])("is refused at the field %s: %s", async (field, _, changes) => {
    const text = { ...defaultMenu, ...changes };
    const { status, body } = await publishMenu(text);
    expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
    expect((await admin.post(`${menuPath}/check`, { text })).body.data.problems).toEqual(body.fields);
  });
});
