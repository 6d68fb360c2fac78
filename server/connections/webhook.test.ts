import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { type FakeStripe, startFakeStripe } from "../../test/fake-stripe.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { neededEventTypes } from "../payment-providers/stripe/event.ts";

const url = "https://palmira.example/api/stripe/webhook";
let database: TestDatabase;
let stripe: FakeStripe;
let shops: [TestShop, TestShop];
let owner: TestBrowser;

beforeAll(async () => {
  [database, stripe] = await Promise.all([createTestDatabase(), startFakeStripe()]);
  const env = {
    PUBLIC_URL: "https://palmira.example",
    SECRETS_KEY: "the key of two servers that is long enough",
    STRIPE_API_BASE: stripe.url,
  };
  shops = [await openTestShop(env, { database }), await openTestShop(env, { database })];
});
beforeEach(async () => {
  owner = await adminBrowser(shops[0]);
  stripe.endTrouble();
  stripe.webhookEndpoints.length = 0;
  await database.pool.query("delete from secrets");
  await Promise.all(shops.map((shop) => shop.ctx.connections.refresh()));
});
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  await Promise.all([stripe.stop(), database.drop()]);
});

const keys = (changes: object = {}) => ({
  version: 0,
  secretKey: stripe.secretKey,
  publishableKey: stripe.publishableKey,
  webhookSecret: "",
  ...changes,
});
const saveKeys = (changes: object = {}, browser = owner) =>
  send(browser, "PUT", "/api/admin/connections/stripe", keys(changes));
const [method, path] = ["POST" as const, "/v1/webhook_endpoints"];

/** The status of the shop's response to an event signed with this endpoint's secret. */
async function postWebhook({ secret }: { secret?: string | undefined } = {}): Promise<number> {
  const { body, signature } = stripe.sign(stripe.emitEvent("payment_intent.created", { id: "pi_x" }), {
    secret: secret ?? "",
  });
  const headers = { "Content-Type": "application/json", "Stripe-Signature": signature };
  return (await shops[0].browser().fetch("/api/stripe/webhook", { method: "POST", body, headers })).status;
}

test("the webhook is created with the secret key for the events that the README lists, and its secret is stored", async () => {
  const { status, body } = await saveKeys();

  expect(status).toBe(200);
  const [endpoint] = stripe.webhookEndpoints;
  expect(stripe.webhookEndpoints).toHaveLength(1);
  expect(endpoint).toMatchObject({ url, status: "enabled", metadata: { app: "palmira" } });
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const documentedEvents = /with these events:\s+```\n([^`]+)```/.exec(readme)?.[1]?.trim().split(/\s+/);
  expect(endpoint?.enabled_events.toSorted()).toEqual(documentedEvents?.toSorted());
  expect(endpoint?.enabled_events).toEqual(neededEventTypes);
  expect(body.data.stripe).toMatchObject({ source: "panel", webhook: { id: endpoint?.id, others: [] } });
  expect(await postWebhook(endpoint)).toBe(200);
  expect(JSON.stringify([body, shops[0].logLines])).not.toContain(endpoint?.secret);
  // New keys of the same account keep the endpoint.
  await saveKeys({ version: 1, secretKey: stripe.secretKey, publishableKey: "" });
  expect(stripe.webhookEndpoints).toEqual([endpoint]);
});

test("an endpoint that the shop did not create is shown and left unchanged", async () => {
  const foreignEndpoint = {
    id: "we_other",
    url,
    status: "enabled" as const,
    enabled_events: ["*"],
    metadata: {},
  };
  stripe.webhookEndpoints.push(foreignEndpoint, {
    ...foreignEndpoint,
    id: "we_far",
    url: "https://other.example/hook",
  });
  const { body } = await saveKeys();
  expect(body.data.stripe.webhook.others).toEqual(["we_other"]);
  expect(stripe.webhookEndpoints.map(({ id }) => id)).toEqual([
    "we_other",
    "we_far",
    body.data.stripe.webhook.id,
  ]);
});

test.each(["lose", "fail-after-work", "cut", 500] as const)(
  "an endpoint whose secret was lost with the response (%s) is replaced by the next attempt",
  async (how) => {
    // The SDK repeats a call whose connection was cut.
    stripe.failNext({ path, method, how, times: 2 });
    const failed = await saveKeys();
    expect([failed.status, failed.body.error]).toEqual([502, "provider_unavailable"]);
    stripe.endTrouble();
    expect((await saveKeys()).status).toBe(200);
    expect(stripe.webhookEndpoints).toHaveLength(1);
    expect(await postWebhook(stripe.webhookEndpoints[0])).toBe(200);
  },
);

test("a server that dies while creating the webhook blocks the others for only a minute", async () => {
  await database.pool.query(
    `insert into secrets (name, facts, updated_at) values ('stripe_webhook_claim', '"gone"', now())`,
  );
  const blocked = await saveKeys();
  expect([blocked.status, blocked.body.error]).toEqual([409, "invalid_state"]);
  await database.pool.query(`update secrets set updated_at = now() - interval '61 seconds'`);
  expect((await saveKeys()).status).toBe(200);
  const { rows } = await database.pool.query("select name from secrets where name like '%claim'");
  expect(rows).toEqual([]);
});

test("two clicks on two servers create one webhook", async () => {
  const ownerOnSecondServer = await adminBrowser(shops[1]);
  stripe.slow({ path, ms: 300 });
  const responses = await Promise.all([saveKeys(), saveKeys({}, ownerOnSecondServer)]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(stripe.webhookEndpoints).toHaveLength(1);
  expect(await postWebhook(stripe.webhookEndpoints[0])).toBe(200);
});

test("a restricted key without the permission is refused with an explanation; a signing secret entered by hand is accepted", async () => {
  stripe.failNext({ path, how: 403 });
  const { status, body } = await saveKeys();
  expect(status).toBe(422);
  expect(body.fields.webhookSecret).toContain("write access to Webhook Endpoints");
  expect((await saveKeys({ webhookSecret: stripe.webhookSecret })).body.data.stripe.webhook).toBeNull();
  expect(stripe.webhookEndpoints).toEqual([]);
});

test("no webhook is created while the keys cannot be tested at Stripe, or if the stored keys have changed", async () => {
  stripe.failNext({ path: "/v1/payment_intents", how: 500, times: 2 });
  expect((await saveKeys({ untested: true })).status).toBe(502);
  stripe.endTrouble();
  expect((await saveKeys({ version: 7 })).status).toBe(409);
  expect(stripe.webhookEndpoints).toEqual([]);
});

test("the webhook is created again on request of an owner who has recently confirmed their identity", async () => {
  const recreateWebhook = (version: number) =>
    owner.post("/api/admin/connections/stripe/webhook", { version });
  expect((await recreateWebhook(0)).status).toBe(409);
  await saveKeys();
  const [oldEndpoint] = stripe.webhookEndpoints.splice(0);
  const { status, body } = await recreateWebhook(1);
  expect([status, body.data.stripe.webhook.id]).toEqual([200, stripe.webhookEndpoints[0]?.id]);
  expect(await postWebhook(stripe.webhookEndpoints[0])).toBe(200);
  expect(await postWebhook(oldEndpoint)).toBe(400);
  // Recreating it deletes the previous endpoint at Stripe.
  expect((await recreateWebhook(2)).status).toBe(200);
  expect(stripe.webhookEndpoints).toHaveLength(1);
});
