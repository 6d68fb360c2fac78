import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { GoLiveCheck } from "../../domain/go-live/go-live.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { type FakeSmtp, startFakeSmtp } from "../../test/fake-smtp.ts";
import { type FakeStripe, startFakeStripe } from "../../test/fake-stripe.ts";
import { type FakeTwilio, startFakeTwilio } from "../../test/fake-twilio.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { tryStripeKeys } from "../payment-providers/stripe/try-keys.ts";

const secretsKey = "the key of two servers that is long enough";
const minuteMs = 60_000;
let database: TestDatabase;
let stripe: FakeStripe;
let smtp: FakeSmtp;
let twilio: FakeTwilio;
let shop: TestShop;
let secondServer: TestShop;
let owner: TestBrowser;

beforeAll(async () => {
  [database, stripe, smtp, twilio] = await Promise.all([
    createTestDatabase(),
    startFakeStripe(),
    startFakeSmtp({ user: "mailer-user", password: "mail-hush" }),
    startFakeTwilio(),
  ]);
  shop = await openTestShop(env(), { database });
  secondServer = await openTestShop(env(), { database });
});
beforeEach(async () => {
  // Calls are limited per network address, and each browser has its own address.
  owner = await adminBrowser(shop);
  await database.pool.query("delete from secrets");
  await Promise.all([shop.ctx.connections.refresh(), secondServer.ctx.connections.refresh()]);
});
afterAll(async () => {
  await Promise.all([shop.stop(), secondServer.stop()]);
  await Promise.all([stripe.stop(), smtp.close(), twilio.close(), database.drop()]);
});

/** The fake services' URLs; their keys are entered in the panel. */
const env = (): Record<string, string> => ({
  SECRETS_KEY: secretsKey,
  STRIPE_API_BASE: stripe.url,
  TWILIO_API_BASE: twilio.env.TWILIO_API_BASE ?? "",
});

type Fields = Record<string, unknown>;
const readState = async (browser = owner) => (await browser.get("/api/admin/connections")).body.data;
const saveConnection = (name: string, body: Fields, browser = owner) =>
  send(browser, "PUT", `/api/admin/connections/${name}`, { version: 0, ...body });
const stripeKeys = () => ({
  secretKey: stripe.secretKey,
  publishableKey: stripe.publishableKey,
  webhookSecret: stripe.webhookSecret,
});
const mailServer = (changes: Fields = {}) => ({
  host: "127.0.0.1",
  port: Number(new URL(smtp.url).port),
  security: "none",
  user: "mailer-user",
  password: "mail-hush",
  from: "Palmira <orders@example.com>",
  ownerEmail: "owner@example.com",
  ...changes,
});
const twilioKeys = (changes: Fields = {}) => ({
  accountSid: twilio.env.TWILIO_ACCOUNT_SID,
  authToken: twilio.env.TWILIO_AUTH_TOKEN,
  from: twilio.env.TWILIO_FROM,
  ...changes,
});

describe("Stripe keys", () => {
  test("are tested, stored encrypted, used by every server, and never shown again", async () => {
    expect((await readState()).stripe).toMatchObject({ source: "none", mode: "sandbox", version: 0 });

    const response = await saveConnection("stripe", stripeKeys());

    expect(response.status).toBe(200);
    expect(response.body.data.stripe).toMatchObject({
      source: "panel",
      mode: "test",
      publishableKey: "…fake",
      account: `…${stripe.accountId().slice(-4)}`,
      tried: { failure: null },
    });
    await expect.poll(() => secondServer.ctx.provider.name).toBe("stripe");
    for (const each of [shop, secondServer]) {
      const buyer = each.browser();
      const orderResponse = await order(buyer);
      expect(orderResponse.body).toMatchObject({ provider: "stripe", publishableKey: stripe.publishableKey });
      const page = await buyer.fetch("/checkout");
      expect(page.headers.get("content-security-policy")).toContain("js.stripe.com");
    }
    expect(await shop.ctx.connections.storedKeys().stripe.value?.secretKey).toBe(stripe.secretKey);
    const { rows } = await database.pool.query(
      "select a::text from activity a union all select s::text from secrets s",
    );
    const everything = JSON.stringify([
      rows,
      await readState(),
      response,
      shop.logLines,
      secondServer.logLines,
    ]);
    for (const secret of [stripe.secretKey, stripe.webhookSecret]) expect(everything).not.toContain(secret);
  });

  test("are not stored if they are wrong, or belong to two accounts or modes", async () => {
    const refusedFields = async (changes: Fields) => {
      const { status, body } = await saveConnection("stripe", {
        ...stripeKeys(),
        untested: true,
        ...changes,
      });
      expect(status).toBe(422);
      return Object.keys(body.fields);
    };
    await order(shop.browser());
    expect(await refusedFields({ secretKey: "sk_test_wrong" })).toEqual(["secretKey"]);
    expect(await refusedFields({ publishableKey: "pk_test_wrong" })).toEqual(["publishableKey"]);
    expect(await refusedFields({ publishableKey: "pk_live_fake" })).toEqual(["publishableKey"]);
    expect(await refusedFields({ secretKey: "pk_test_fake" })).toEqual(["secretKey"]);
    expect(await refusedFields({ webhookSecret: "" })).toEqual(["webhookSecret"]);
    expect((await readState()).stripe.source).toBe("none");
  });

  test("can be stored untested while Stripe is unreachable, and tested later", async () => {
    stripe.failNext({ path: "/v1/payment_intents", how: 500, times: 2 });
    const unreachable = await saveConnection("stripe", stripeKeys());
    expect([unreachable.status, unreachable.body.error]).toEqual([502, "provider_unavailable"]);
    expect((await readState()).stripe.source).toBe("none");

    const response = await saveConnection("stripe", { ...stripeKeys(), untested: true });
    expect(response.body.data.stripe).toMatchObject({ source: "panel", tried: null });
    const tried = await owner.post("/api/admin/connections/stripe/try");
    expect(tried.body.data).toMatchObject({
      failure: null,
      connections: { stripe: { tried: { failure: null } } },
    });
  });

  test("that are saved while the old keys are being tested do not get the old keys' test result", async () => {
    await saveConnection("stripe", stripeKeys());
    stripe.failNext({ path: "/v1/payment_intents", how: 401 });
    const release = stripe.hold({ path: "/v1/payment_intents", method: "GET" });
    const before = stripe.requests.length;
    const pendingTest = owner.post("/api/admin/connections/stripe/try");
    await expect.poll(() => stripe.requests.length).toBeGreaterThan(before);
    await database.pool.query("update secrets set version = 2");
    release();
    expect((await pendingTest).body.data).toMatchObject({
      failure: "Stripe does not accept this secret key",
      connections: { stripe: { version: 2, tried: { failure: null } } },
    });
  });

  test("of another account need a confirmation; new keys of the same account keep its open payments", async () => {
    await saveConnection("stripe", stripeKeys());
    const buyer = shop.browser();
    const { body: placed } = await order(buyer);

    const rotated = await saveConnection("stripe", {
      version: 1,
      secretKey: "",
      publishableKey: "",
      webhookSecret: "whsec_new",
    });
    expect(rotated.status).toBe(200);
    const path = `/api/stripe/payment-intent/${placed.paymentIntentId}`;
    expect((await buyer.get(path)).body.data.status).toBe("requires_payment_method");

    // The fake Stripe has one account for all keys.
    const restoreAccount = stripe.resetAccount();
    const response = await saveConnection("stripe", { version: 2, ...stripeKeys() });
    expect([response.status, Object.keys(response.body.fields)]).toEqual([422, ["otherAccount"]]);
    expect((await saveConnection("stripe", { version: 2, ...stripeKeys(), otherAccount: true })).status).toBe(
      200,
    );
    restoreAccount();
  });

  test("of a live account can be removed, which does not turn on simulated payments", async () => {
    await saveConnection("stripe", stripeKeys());
    expect((await send(owner, "DELETE", "/api/admin/connections/stripe?version=7")).status).toBe(409);
    const removed = await send(owner, "DELETE", "/api/admin/connections/stripe?version=1");
    expect(removed.body.data.stripe).toMatchObject({ source: "none", mode: "sandbox" });
    expect((await send(owner, "DELETE", "/api/admin/connections/stripe?version=1")).status).toBe(200);

    await database.pool.query(
      `update secrets set facts = '{"mode": "live", "account": null}', sealed = null where name = 'stripe'`,
    );
    await shop.ctx.connections.refresh();
    expect((await readState()).stripe).toMatchObject({ source: "none", mode: null });
    const refused = await order(shop.browser());
    expect([refused.status, refused.body.error]).toEqual([502, "provider_unavailable"]);
    expect((await shop.browser().get("/api/stripe/test")).body).toMatchObject({
      provider: "stripe",
      mode: "live",
    });
  });
});

describe("a mail server", () => {
  test("is tested by signing in, stored, and used from then on", async () => {
    const wrongPassword = await saveConnection("mail", mailServer({ password: "wrong-hush" }));
    expect([wrongPassword.status, Object.keys(wrongPassword.body.fields)]).toEqual([422, ["user"]]);
    expect(JSON.stringify(wrongPassword.body)).not.toContain("hush");

    const response = await saveConnection("mail", mailServer());
    expect(response.body.data.mail).toMatchObject({
      source: "panel",
      host: "127.0.0.1",
      user: "…user",
      from: "Palmira <orders@example.com>",
      tried: { failure: null },
    });
    await owner.post("/api/admin/go-live/test-email");
    await shop.jobsDone();
    expect(smtp.received.at(-1)).toMatchObject({ to: ["owner@example.com"], from: "orders@example.com" });
    expect(JSON.stringify([response, shop.logLines])).not.toContain("mail-hush");
  });

  test("gets the stored password only if host, port and security are unchanged", async () => {
    await saveConnection("mail", mailServer());
    const changed = await saveConnection("mail", {
      version: 1,
      ...mailServer({ user: "", password: "", from: "shop@example.com" }),
    });
    expect(changed.body.data.mail.from).toBe("shop@example.com");
    const otherHost = await saveConnection("mail", {
      version: 2,
      ...mailServer({ user: "", password: "", host: "localhost" }),
    });
    expect([otherHost.status, Object.keys(otherHost.body.fields)]).toEqual([422, ["user"]]);
  });

  test.each(["smtp.example.com:587", "999.1.1.1", "a/b", "[::1]"])(
    "is refused with the host %s",
    async (host) => {
      const { status, body } = await saveConnection("mail", mailServer({ host, untested: true }));
      expect([status, Object.keys(body.fields)]).toEqual([422, ["host"]]);
    },
  );

  test("can only be stored as untested if it does not respond", async () => {
    const silentServer = mailServer({ port: 1 });
    expect((await saveConnection("mail", silentServer)).body.error).toBe("provider_unavailable");
    expect((await saveConnection("mail", { ...silentServer, untested: true })).body.data.mail).toMatchObject({
      tried: null,
    });
  });
});

test("Twilio credentials are checked before they are stored, and texts are sent with them", async () => {
  expect((await saveConnection("twilio", twilioKeys({ authToken: "wrong" }))).status).toBe(422);
  twilio.next.push("away");
  expect((await saveConnection("twilio", twilioKeys())).status).toBe(502);
  const response = await saveConnection("twilio", twilioKeys());
  expect(response.body.data.twilio).toMatchObject({
    source: "panel",
    accountSid: "…0000",
    from: "+15005550006",
  });
  expect((await owner.post("/api/notifications/test-sms", { phoneNumber: "5550104477" })).status).toBe(200);
  expect(twilio.received).toHaveLength(1);
  expect(JSON.stringify([response, shop.logLines])).not.toContain("twilio-test-token");
});

describe("a change of keys", () => {
  test("needs an owner who has recently confirmed their identity", async () => {
    expect((await shop.browser().get("/api/admin/connections")).status).toBe(401);
    shop.travel(11 * minuteMs);
    const calls = [
      saveConnection("stripe", stripeKeys()),
      saveConnection("mail", mailServer()),
      saveConnection("twilio", twilioKeys()),
      saveConnection("access-code", { code: "another-code-1234" }),
      send(owner, "DELETE", "/api/admin/connections/stripe?version=0"),
    ];
    for (const { body } of await Promise.all(calls)) expect(body.error).toBe("confirmation_required");
    await owner.post("/api/admin/account/confirm", { accessCode: "open-sesame-1234" });
    expect((await saveConnection("stripe", stripeKeys())).status).toBe(200);
  });

  test("is e-mailed to the address that the owner had before the change", async () => {
    const alerts = async () => {
      const { rows } = await database.pool.query<{ recipient: string; what: string }>(
        "select recipient, data->>'what' as what from messages where kind = 'owner_security' order by created_at",
      );
      return rows.map(({ recipient, what }) => `${recipient}: ${what}`);
    };
    expect((await saveConnection("mail", mailServer())).status).toBe(200);
    const before = (await alerts()).length;
    const otherOwnerEmail = mailServer({ version: 1, ownerEmail: "eve@example.com" });
    expect((await saveConnection("mail", otherOwnerEmail)).status).toBe(200);
    expect((await saveConnection("stripe", stripeKeys())).status).toBe(200);
    expect((await send(owner, "DELETE", "/api/admin/connections/stripe?version=1")).status).toBe(200);
    expect((await alerts()).slice(before)).toEqual([
      "owner@example.com: Mail server: the keys were changed",
      "eve@example.com: Stripe: the keys were changed",
      "eve@example.com: Stripe: the keys were removed",
    ]);
  });

  test("by two owners at once is refused for one of them", async () => {
    const responses = await Promise.all([
      saveConnection("twilio", twilioKeys()),
      saveConnection("twilio", twilioKeys()),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.current.twilio.version).toBe(1);
  });
});

describe("keys and settings of connections", () => {
  test("come from the environment first, and the panel cannot change those", async () => {
    await saveConnection("mail", mailServer({ host: "127.0.0.1" }));
    await saveConnection("stripe", stripeKeys());
    await saveConnection("twilio", twilioKeys());
    const shopWithVariables = await openTestShop(
      {
        SECRETS_KEY: secretsKey,
        ...twilio.env,
        TWILIO_FROM: "+15005550009",
        MAIL_FROM: "env@example.com",
        PAYMENTS: "sandbox",
      },
      { database },
    );
    const admin = await adminBrowser(shopWithVariables);
    const state = await readState(admin);
    expect(state).toMatchObject({
      stripe: { source: "environment", variables: ["PAYMENTS"], mode: "sandbox" },
      mail: {
        source: "panel",
        variables: ["MAIL_FROM"],
        from: "env@example.com",
        ownerEmail: "owner@example.com",
      },
      twilio: { source: "environment", from: "+15005550009" },
      accessCode: { source: "environment" },
    });
    expect((await saveConnection("stripe", stripeKeys(), admin)).status).toBe(409);
    expect((await saveConnection("twilio", twilioKeys(), admin)).status).toBe(409);
    expect((await saveConnection("access-code", { code: "another-code-1234" }, admin)).status).toBe(409);
    expect(shopWithVariables.ctx.config.payments).toBe("sandbox");
    await shopWithVariables.stop();
  });

  test("are ignored if the server cannot decrypt them, and the problem is shown", async () => {
    await saveConnection("stripe", stripeKeys());
    await saveConnection("mail", mailServer());
    const otherKeyShop = await openTestShop(
      { ...env(), SECRETS_KEY: "another key that was never used before" },
      { database },
    );
    const admin = await adminBrowser(otherKeyShop);
    expect(await readState(admin)).toMatchObject({
      stripe: { source: "unreadable" },
      mail: { source: "unreadable" },
    });
    expect(otherKeyShop.health.read()).toMatchObject({
      canSell: true,
      degraded: { keys: expect.stringContaining("stripe") },
    });
    expect((await otherKeyShop.browser().get("/api/products")).status).toBe(200);
    expect((await order(otherKeyShop.browser())).body.error).toBe("provider_unavailable");
    await otherKeyShop.stop();

    // A server with the new key and the old one re-encrypts everything, so that the old key can be discarded.
    const rotated = {
      ...env(),
      SECRETS_KEY: "a third key that is long enough for them",
      SECRETS_KEY_OLD: secretsKey,
    };
    await (await openTestShop(rotated, { database })).stop();
    const { SECRETS_KEY_OLD: _, ...newKeyOnly } = rotated;
    const newKeyShop = await openTestShop(newKeyOnly, { database });
    expect(newKeyShop.ctx.provider.name).toBe("stripe");
    await newKeyShop.stop();
    // Servers that have only the old key keep the values in memory.
    await shop.ctx.connections.refresh();
    expect(shop.ctx.provider.name).toBe("stripe");
  });

  test("are optional: a shop on https without them starts but accepts no cards, real or simulated, even if it once had live keys", async () => {
    const https = { ...env(), PUBLIC_URL: "https://shop.example.com" };
    const withoutKeys = await openTestShop(https, { database });
    expect((await order(withoutKeys.browser())).body.error).toBe("provider_unavailable");
    await withoutKeys.stop();
    await database.pool.query(
      "update payments set provider = 'stripe', status = 'succeeded' where order_id in (select order_id from payments limit 1)",
    );
    const afterLiveKeys = await openTestShop(https, { database });
    expect((await order(afterLiveKeys.browser())).body.error).toBe("provider_unavailable");
    const checks: GoLiveCheck[] = (await (await adminBrowser(afterLiveKeys)).get("/api/admin/go-live")).body
      .data.checks;
    expect(checks.find(({ id }) => id === "payments")).toMatchObject({
      state: "problem",
      detail: "No Stripe keys are in use: no card payment can be taken.",
    });
    await afterLiveKeys.stop();
    await database.pool.query("update payments set status = 'canceled' where status = 'succeeded'");
  });
});

test("a new access code ends the sessions opened with the old one, and no others", async () => {
  const ownEnv = { SECRETS_KEY: secretsKey, ADMIN_ACCESS_CODE: "" };
  const ownShop = await openTestShop(ownEnv);
  const code = ownShop.newAccessCode ?? "";
  const [ownBrowser, otherBrowser] = [ownShop.browser(), ownShop.browser()];
  for (const browser of [ownBrowser, otherBrowser])
    await browser.post("/api/admin/verify", { accessCode: code });
  expect((await readState(ownBrowser)).accessCode).toMatchObject({ source: "generated", sessions: 1 });
  expect((await saveConnection("access-code", { code: "short" }, ownBrowser)).status).toBe(422);
  const changed = await saveConnection("access-code", { code: "a-new-code-12345" }, ownBrowser);
  expect(changed.body.data.accessCode).toMatchObject({ source: "panel", sessions: 0 });
  // The hash parameters that OWASP recommends; other test shops use cheaper ones.
  const { rows } = await ownShop.database.pool.query("select code_hash from admin_access");
  expect(rows[0].code_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const alerts = ownShop.database.pool.query(
    "select data->>'what' as what from messages where kind = 'owner_security'",
  );
  expect((await alerts).rows).toEqual([{ what: "The access code was changed" }]);
  expect((await otherBrowser.get("/api/admin/connections")).status).toBe(401);
  expect((await ownBrowser.get("/api/admin/connections")).status).toBe(200);
  expect((await otherBrowser.post("/api/admin/verify", { accessCode: code })).status).not.toBe(200);
  expect((await otherBrowser.post("/api/admin/verify", { accessCode: " a-new-code-12345\n" })).status).toBe(
    200,
  );
  expect(JSON.stringify(ownShop.logLines)).not.toContain("a-new-code-12345");
  await ownShop.stop();
});

test("testing Stripe's keys times out even if each part of the response comes in time", async () => {
  const server = createServer((_, response) => {
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const result = await tryStripeKeys({ ...stripeKeys(), apiBase }, 300);
  expect(result).toMatchObject({ ok: false, isUnreachable: true, message: "Stripe could not be reached" });
  server.closeAllConnections();
  server.close();
});
