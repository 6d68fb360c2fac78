import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maxApiKeys } from "../../domain/people/api-key.ts";
import { addDays, dateIn } from "../../domain/shared/zoned-days.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { callInTurn, createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { type ApiResponse, openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { orderLinkToken } from "../orders/link-tokens.ts";
import { countGivenByKey } from "./api-keys.ts";
import { apiKeyAnswers, apiKeys } from "./tables.ts";

const hourMs = 60 * 60_000;
let database: TestDatabase;
let shop: TestShop;
let secondServer: TestShop;
let owner: TestBrowser;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { PAYMENTS: "sandbox", OWNER_EMAIL: "shop-owner@palmira.example" };
  shop = await openTestShop(env, { database });
  secondServer = await openTestShop(env, { database });
  owner = await adminBrowser(shop);
});
afterAll(async () => {
  await Promise.all([shop.stop(), secondServer.stop()]);
  await database.drop();
});

type CreatedKey = { id: string; key: string };
let count = 0;
async function createKey(role: string, fields: object = {}): Promise<CreatedKey> {
  count += 1;
  const response = await owner.post("/api/admin/api-keys", { name: `Key ${count}`, role, ...fields });
  expect(response.status).toBe(201);
  return response.body.data;
}

/** Makes a call as another program does: without cookie and origin. */
async function call(
  key: string,
  method: string,
  path: string,
  {
    body,
    headers = {},
    server = shop,
  }: { body?: unknown; headers?: Record<string, string>; server?: TestShop } = {},
): Promise<Pick<ApiResponse, "status" | "body" | "headers">> {
  const response = await server.app.request(path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text), headers: response.headers };
}

async function placePaid(): Promise<string> {
  const buyer = shop.browser();
  const checkout = await order(buyer);
  await confirm(buyer, checkout);
  await shop.jobsDone();
  return checkout.body.orderId;
}

const readActivity = async () => (await owner.get("/api/admin/activity?limit=20")).body.data;

describe("an API key", () => {
  test("is shown once, stored as a hash, listed with its last use, and revoked on every server immediately", async () => {
    const created = await owner.post("/api/admin/api-keys", { name: "Warehouse", role: "packer" });
    expect(created.status).toBe(201);
    const { id, key } = created.body.data;
    expect(created.body.data).toMatchObject({
      name: "Warehouse",
      role: "packer",
      expiresOn: null,
      lastUsedAt: null,
    });
    const { rows } = await database.pool.query(
      "select k::text from api_keys k union all select a::text from activity a",
    );
    expect(
      JSON.stringify([rows, (await owner.get("/api/admin/api-keys")).body, shop.logLines]),
    ).not.toContain(key);

    expect((await call(key, "GET", "/api/orders?status=to_ship")).status).toBe(200);
    expect((await call(key, "GET", "/api/orders?status=to_ship", { server: secondServer })).status).toBe(200);
    const keys = (await owner.get("/api/admin/api-keys")).body.data;
    expect(keys.find((row: CreatedKey) => row.id === id).lastUsedAt).toEqual(expect.any(String));
    expect((await owner.get("/api/admin/people")).body.data.people).toEqual([]);
    expect((await send(owner, "PATCH", `/api/admin/people/${id}`, { role: "owner" })).status).toBe(404);

    expect((await send(owner, "DELETE", `/api/admin/api-keys/${id}`)).status).toBe(200);
    for (const server of [shop, secondServer]) {
      const refused = await call(key, "GET", "/api/orders?status=to_ship", { server });
      expect([refused.status, refused.body.error]).toEqual([401, "unauthorized"]);
    }
    expect((await owner.get("/api/admin/api-keys")).body.data).toEqual([]);
    expect((await send(owner, "DELETE", `/api/admin/api-keys/${id}`)).status).toBe(404);
    await shop.jobsDone();
    const securityMail = (await owner.get("/api/admin/outbox?kind=owner_security")).body.data;
    expect(JSON.stringify(securityMail)).toContain("The API key “Warehouse” was revoked");
  });

  test("is refused beyond the limit, even if two are created at the same time", async () => {
    await database.pool.query(`
      with accounts as (insert into people (name, role, created_at, joined_at)
        select 'Spare', 'packer', now(), now() from generate_series(2, ${maxApiKeys}) returning id)
      insert into api_keys (person_id, key_hash) select id, sha256(id::text::bytea) from accounts`);
    const create = () => owner.post("/api/admin/api-keys", { name: "Last", role: "packer" });
    const responses = await callInTurn(database, sql`lock table api_keys in share mode`, create, create);
    expect(responses.map(({ status }) => status)).toEqual([201, 409]);
    await database.pool.query("update people set deactivated_at = now() where name in ('Spare', 'Last')");
  });

  test("works until the end of its last day in the shop's zone", async () => {
    const { timeZone } = (await owner.get("/api/admin/settings")).body.data;
    const today = dateIn(timeZone, shop.ctx.now());
    const expiredKey = { name: "Past", role: "staff", expiresOn: addDays(today, -1) };
    const refused = await owner.post("/api/admin/api-keys", expiredKey);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ["expiresOn"]]);
    const { key } = await createKey("accountant", { expiresOn: today });
    const readStatus = async () => (await call(key, "GET", "/api/admin/rights")).status;
    expect(await readStatus()).toBe(200);
    let hours = 0;
    while (dateIn(timeZone, shop.ctx.now()) === today && hours < 30) {
      expect(await readStatus()).toBe(200);
      shop.travel(hourMs);
      hours += 1;
    }
    expect(await readStatus()).toBe(401);
    shop.travel(-hours * hourMs);
    expect(await readStatus()).toBe(200);
  });

  test.each([
    [{ name: " ", role: "staff" }, "name"],
    [{ name: "x", role: "owner" }, "role"],
    [{ name: "x", role: "staff", expiresOn: "2026-02-30" }, "expiresOn"],
  ])("is not created from %o", async (body, field) => {
    const { status, body: response } = await owner.post("/api/admin/api-keys", body);
    expect([status, Object.keys(response.fields)]).toEqual([422, [field]]);
  });

  test("needs neither cookie nor origin; a cookie or foreign origin sent with it is ignored", async () => {
    const { key } = await createKey("packer");
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    // With the owner's cookie instead, this call would be allowed.
    expect((await call(key, "GET", "/api/admin/settings", { headers })).status).toBe(403);
    expect((await call(key, "GET", "/api/admin/rights", { headers })).body.data.role).toBe("packer");
    expect((await call("palmira_wrong", "GET", "/api/admin/settings", { headers })).status).toBe(401);
    const id = await placePaid();
    const body = { reason: "A bottle is broken" };
    expect((await call(key, "POST", `/api/admin/orders/${id}/problem`, { body, headers })).status).toBe(200);
    // The order's history names the key.
    const { events } = (await owner.get(`/api/admin/orders/${id}`)).body.data;
    expect(events.at(-1)).toMatchObject({ by: `Key ${count}`, note: expect.stringContaining("A bottle") });
  });

  test("has the rights of its role and sees only that role's data: a packer no amounts", async () => {
    const [packer, staff, accountant] = await Promise.all(
      ["packer", "staff", "accountant"].map((role) => createKey(role)),
    );
    const id = await placePaid();
    const path = `/api/admin/orders/${id}`;
    expect((await call(String(staff?.key), "GET", path)).body.data.email).toContain("@");
    expect((await call(String(packer?.key), "GET", path)).body.data).toMatchObject({
      email: "",
      payment: null,
    });
    const note = { body: { text: "Called them" } };
    expect((await call(String(accountant?.key), "POST", `${path}/notes`, note)).status).toBe(403);
    expect((await call(String(staff?.key), "POST", `${path}/notes`, note)).status).toBe(201);
    expect((await call(String(staff?.key), "GET", `/api/orders/${id}`)).status).toBe(200);
    const bad = await call(String(packer?.key), "POST", `${path}/ship`, { body: {} });
    expect([bad.status, bad.body.error]).toEqual([422, "validation_failed"]);
  });

  test("cannot make calls about keys, people, connections or its own account, or calls for buyers", async () => {
    const { key, id } = await createKey("staff");
    for (const [method, path] of [
      ["GET", "/api/admin/api-keys"],
      ["POST", "/api/admin/api-keys"],
      ["DELETE", `/api/admin/api-keys/${id}`],
      ["GET", "/api/admin/people"],
      ["POST", "/api/admin/people"],
      ["GET", "/api/admin/connections"],
      ["GET", "/api/admin/account"],
      ["POST", "/api/admin/account/confirm"],
      ["GET", "/api/admin/account/devices"],
      ["GET", "/api/admin/sessions"],
      ["DELETE", "/api/admin/sessions"],
      ["POST", `/api/orders/${id}/cancel`],
    ] as const) {
      const { status, body } = await call(key, method, path, method === "GET" ? {} : { body: {} });
      expect([method, path, status, body.error]).toEqual([method, path, 403, "forbidden"]);
    }
  });

  test("appears in the activity log by name, once for each change and once an hour for each kind of read call", async () => {
    const { key, id } = await createKey("staff");
    const path = `/api/admin/orders/${await placePaid()}`;
    await call(key, "POST", `${path}/notes`, { body: { text: "Hello" } });
    await call(key, "GET", path);
    await call(key, "GET", path);
    const entries = (await readActivity()).filter(({ who }: { who: { kind: string } }) => who.kind === "key");
    const keyEntries = entries.filter(({ who }: { who: { person: CreatedKey } }) => who.person.id === id);
    expect(keyEntries.map(({ action }: { action: string }) => action)).toEqual([
      "GET /api/admin/orders/:id",
      "POST /api/admin/orders/:id/notes",
    ]);
    expect(keyEntries[0]).toMatchObject({
      outcome: "done",
      who: { kind: "key", person: { name: `Key ${count}` } },
    });
    expect((await owner.get(`/api/admin/activity?person=${id}`)).body.data).toEqual(keyEntries);
  });

  test("can refund up to the owner's limit a day, and nothing if there is no limit", async () => {
    const { id, key } = await createKey("staff");
    const [first, other] = [await placePaid(), await placePaid()];
    const refund = (id: string, amount: number) =>
      call(key, "POST", `/api/admin/orders/${id}/refund`, { body: { amount } });
    const expectRefused = (response: Pick<ApiResponse, "status" | "body">) =>
      expect([response.status, response.body.error]).toEqual([403, "confirmation_required"]);
    expectRefused(await refund(first, 100));
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: 500 });
    expect((await refund(first, 300)).status).toBeLessThan(300);
    expectRefused(await refund(other, 201));
    expect((await refund(other, 200)).status).toBeLessThan(300);
    expectRefused(await refund(other, 1));
    // Concurrent calls together do not exceed the limit either.
    const otherKey = await createKey("staff");
    const orders = await Promise.all([1, 2, 3].map(() => placePaid()));
    const responses = await Promise.all(
      orders.map((id) =>
        call(otherKey.key, "POST", `/api/admin/orders/${id}/refund`, { body: { amount: 250 } }),
      ),
    );
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(2);
    shop.travel(25 * hourMs);
    owner = await adminBrowser(shop);
    expect((await refund(other, 400)).status).toBeLessThan(300);
    // A call that began before midnight counts for the day of the call before it.
    const { timeZone } = (await owner.get("/api/admin/settings")).body.data;
    const yesterday = addDays(dateIn(timeZone, shop.ctx.now()), -1);
    expect(await countGivenByKey(id, yesterday)(database.db, 100)).toBe(500);
    expectRefused(await refund(other, 1));
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: null });
  });

  test("is charged with a cancellation through an order link if the key had set the order's e-mail address", async () => {
    const { key } = await createKey("staff");
    const [moved, other] = [await placePaid(), await placePaid()];
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: 500 });
    const path = `/api/admin/orders/${moved}`;
    const { customerName, phone, contactVersion: version } = (await call(key, "GET", path)).body.data;
    const contact = { customerName, phone, email: "key@example.com", version };
    expect((await call(key, "PATCH", `${path}/contact`, { body: contact })).status).toBe(200);
    const { events } = (await owner.get(path)).body.data;
    const token = orderLinkToken(shop.ctx.secret, { id: moved, events }, shop.ctx.now());
    expect((await shop.browser().post(`/api/orders/${moved}/cancel`, { token })).status).toBe(200);
    const refund = await call(key, "POST", `/api/admin/orders/${other}/refund`, { body: { amount: 1 } });
    expect([refund.status, refund.body.error]).toEqual([403, "confirmation_required"]);
    expect(refund.body.message).toContain("would make it $35.91");
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: null });
  });

  test("may make 300 calls a minute", async () => {
    const { key } = await createKey("packer");
    let response = { status: 0, headers: new Headers() };
    for (let calls = 0; calls <= 300; calls += 1) {
      response = await call(key, "GET", "/api/admin/time-zone");
      if (calls < 300) expect(response.status).toBe(200);
    }
    expect([response.status, Number(response.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    const otherKey = await createKey("packer");
    expect((await call(otherKey.key, "GET", "/api/admin/time-zone")).status).toBe(200);
  });
});

describe("the Idempotency-Key of a call with an API key", () => {
  const countNotes = async (id: string) =>
    (await owner.get(`/api/admin/orders/${id}`)).body.data.notes.length;

  test("returns the first response to repeated calls for 24 hours, and is refused with another body", async () => {
    const { key } = await createKey("staff");
    const id = await placePaid();
    const note = (text: string, idempotencyKey: string, apiKey = key) =>
      call(apiKey, "POST", `/api/admin/orders/${id}/notes`, {
        body: { text },
        headers: { "Idempotency-Key": idempotencyKey },
      });
    const [first, again] = [await note("One", "a"), await note("One", "a")];
    expect(first.status).toBe(201);
    expect([again.status, JSON.stringify(again.body)]).toEqual([first.status, JSON.stringify(first.body)]);
    const other = await note("Two", "a");
    expect([other.status, other.body.error]).toEqual([409, "invalid_state"]);
    expect(await countNotes(id)).toBe(1);
    // The same Idempotency-Key of another API key is independent.
    expect((await note("Two", "a", (await createKey("staff")).key)).status).toBe(201);
    const refused = [await note(" ", "b"), await note("x", "x".repeat(256)), await note("x", "")];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(await countNotes(id)).toBe(2);
    shop.travel(24 * hourMs + 1000);
    expect((await note("One", "a")).body.data.id).not.toBe(first.body.data.id);
    owner = await adminBrowser(shop);
    expect(await countNotes(id)).toBe(3);
  });

  test("makes ten concurrent calls on two servers wait for the first, with one effect", async () => {
    const { key } = await createKey("staff");
    const id = await placePaid();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call(key, "POST", `/api/admin/orders/${id}/notes`, {
          body: { text: "Together" },
          headers: { "Idempotency-Key": "together" },
          server: index % 2 ? secondServer : shop,
        }),
      ),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.data?.id}`)).size).toBe(1);
    expect(await countNotes(id)).toBe(1);
  });

  test("prevents the repetition of a call that a crash interrupted, unless the call itself cannot take effect twice", async () => {
    const { key, id: keyId } = await createKey("staff");
    const id = await placePaid();
    const headers = { "Idempotency-Key": "cut" };
    const note = () => call(key, "POST", `/api/admin/orders/${id}/notes`, { body: { text: "Cut" }, headers });
    expect((await note()).status).toBe(201);
    await database.db
      .update(apiKeyAnswers)
      .set({ answer: null, runsUntil: new Date(0) })
      .where(eq(apiKeyAnswers.personId, keyId));
    expect((await note()).body.message).toContain("was interrupted");
    expect(await countNotes(id)).toBe(1);

    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: 10_000 });
    const refund = () =>
      call(key, "POST", `/api/admin/orders/${id}/refund`, {
        body: { amount: 100 },
        headers: { "Idempotency-Key": "refund" },
      });
    const first = await refund();
    await database.db.update(apiKeyAnswers).set({ answer: null, runsUntil: new Date(0) });
    const again = await refund();
    expect([again.status, again.body.data.refunds?.length]).toEqual([
      first.status,
      first.body.data.refunds?.length,
    ]);
    expect((await owner.get(`/api/admin/orders/${id}`)).body.data.refunds).toHaveLength(1);
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: null });
  });

  test("does not store a temporary refusal", async () => {
    const { key, id: keyId } = await createKey("staff");
    const id = await placePaid();
    const refund = () =>
      call(key, "POST", `/api/admin/orders/${id}/refund`, {
        body: { amount: 100 },
        headers: { "Idempotency-Key": "later" },
      });
    expect((await refund()).status).toBe(403);
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: 10_000 });
    expect((await refund()).status).toBeLessThan(300);
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: null });
    const [row] = await database.db.select().from(apiKeys).where(eq(apiKeys.personId, keyId));
    expect(row?.givenCents).toBe(100);
  });
});

describe("the API's description", () => {
  test("lists the roles whose keys may make a call, with examples that contain the required headers and fields", async () => {
    const { body: document } = await owner.get("/api/openapi.json");
    const ship = document.paths["/api/admin/orders/{id}/ship"].post;
    expect(ship).toMatchObject({
      "x-key-roles": ["staff", "packer"],
      security: [{ admin: [] }, { key: [] }],
    });
    expect(document.paths["/api/admin/people"].post).toMatchObject({
      "x-key-roles": [],
      security: [{ admin: [] }],
    });
    expect(document.paths["/api/admin/account"].get["x-key-roles"]).toEqual([]);
    expect(document.components.securitySchemes.key).toMatchObject({ type: "http", scheme: "bearer" });
    const page = await (await owner.fetch("/api/docs")).text();
    const [example = ""] = /curl -X POST [^<]*\/ship(?:'|&#x27;)[^<]*/.exec(page) ?? [];
    for (const part of ["Authorization: Bearer $API_KEY", "Idempotency-Key: $(uuidgen)", "trackingNumber"]) {
      expect(example).toContain(part);
    }
    expect(page).toContain("API keys: staff, packer.");
  });
});
