import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, dateIn } from "../../domain/shared/zoned-days.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { type Answer, openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { apiKeyAnswers, apiKeys } from "./tables.ts";

const hourMs = 60 * 60_000;
let database: TestDatabase;
let shop: TestShop;
let second: TestShop;
let owner: TestBrowser;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { PAYMENTS: "sandbox", OWNER_EMAIL: "shop-owner@palmira.example" };
  shop = await openTestShop(env, { database });
  second = await openTestShop(env, { database });
  owner = await adminBrowser(shop);
});
afterAll(async () => {
  await Promise.all([shop.stop(), second.stop()]);
  await database.drop();
});

type Made = { id: string; key: string };
let count = 0;
async function makeKey(role: string, fields: object = {}): Promise<Made> {
  count += 1;
  const answer = await owner.post("/api/admin/api-keys", { name: `Key ${count}`, role, ...fields });
  expect(answer.status).toBe(201);
  return answer.body.data;
}

/** A call as another program makes it: no cookie, no origin. */
async function call(
  key: string,
  method: string,
  path: string,
  { body, headers = {}, at = shop }: { body?: unknown; headers?: Record<string, string>; at?: TestShop } = {},
): Promise<Pick<Answer, "status" | "body" | "headers">> {
  const response = await at.app.request(path, {
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
  const bought = await order(buyer);
  await confirm(buyer, bought);
  await shop.jobsDone();
  return bought.body.orderId;
}

const activity = async () => (await owner.get("/api/admin/activity?limit=20")).body.data;

describe("an API key", () => {
  test("is shown once, stored as a hash, listed with its last use, and revoked on every server at once", async () => {
    const made = await owner.post("/api/admin/api-keys", { name: "Warehouse", role: "packer" });
    expect(made.status).toBe(201);
    const { id, key } = made.body.data;
    expect(made.body.data).toMatchObject({
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
    expect((await call(key, "GET", "/api/orders?status=to_ship", { at: second })).status).toBe(200);
    const listed = (await owner.get("/api/admin/api-keys")).body.data;
    expect(listed.find((row: Made) => row.id === id).lastUsedAt).toEqual(expect.any(String));
    expect((await owner.get("/api/admin/people")).body.data.people).toEqual([]);
    expect((await send(owner, "PATCH", `/api/admin/people/${id}`, { role: "owner" })).status).toBe(404);

    expect((await send(owner, "DELETE", `/api/admin/api-keys/${id}`)).status).toBe(200);
    for (const at of [shop, second]) {
      const refused = await call(key, "GET", "/api/orders?status=to_ship", { at });
      expect([refused.status, refused.body.error]).toEqual([401, "unauthorized"]);
    }
    expect((await owner.get("/api/admin/api-keys")).body.data).toEqual([]);
    expect((await send(owner, "DELETE", `/api/admin/api-keys/${id}`)).status).toBe(404);
    await shop.jobsDone();
    const mails = (await owner.get("/api/admin/outbox?kind=owner_security")).body.data;
    expect(JSON.stringify(mails)).toContain("The API key “Warehouse” was revoked");
  });

  test("works until the end of its last day in the shop's zone", async () => {
    const { timeZone } = (await owner.get("/api/admin/settings")).body.data;
    const today = dateIn(timeZone, shop.ctx.now());
    const past = { name: "Past", role: "staff", expiresOn: addDays(today, -1) };
    const refused = await owner.post("/api/admin/api-keys", past);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ["expiresOn"]]);
    const { key } = await makeKey("accountant", { expiresOn: today });
    const status = async () => (await call(key, "GET", "/api/admin/rights")).status;
    expect(await status()).toBe(200);
    let hours = 0;
    while (dateIn(timeZone, shop.ctx.now()) === today && hours < 30) {
      expect(await status()).toBe(200);
      shop.travel(hourMs);
      hours += 1;
    }
    expect(await status()).toBe(401);
    shop.travel(-hours * hourMs);
    expect(await status()).toBe(200);
  });

  test.each([
    [{ name: " ", role: "staff" }, "name"],
    [{ name: "x", role: "owner" }, "role"],
    [{ name: "x", role: "staff", expiresOn: "2026-02-30" }, "expiresOn"],
  ])("is not created from %o", async (body, field) => {
    const { status, body: answer } = await owner.post("/api/admin/api-keys", body);
    expect([status, Object.keys(answer.fields)]).toEqual([422, [field]]);
  });

  test("needs neither cookie nor origin, and a foreign one beside it is ignored", async () => {
    const { key } = await makeKey("packer");
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    // The owner's cookie would allow it.
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
      ["packer", "staff", "accountant"].map((role) => makeKey(role)),
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

  test("never passes a call about keys, people, connections or the own account, nor a buyer's call", async () => {
    const { key, id } = await makeKey("staff");
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

  test("is in the activity log with its name: for each change, and once an hour for what it reads", async () => {
    const { key, id } = await makeKey("staff");
    const path = `/api/admin/orders/${await placePaid()}`;
    await call(key, "POST", `${path}/notes`, { body: { text: "Hello" } });
    await call(key, "GET", path);
    await call(key, "GET", path);
    const entries = (await activity()).filter(({ who }: { who: { kind: string } }) => who.kind === "key");
    const own = entries.filter(({ who }: { who: { person: Made } }) => who.person.id === id);
    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      "GET /api/admin/orders/:id",
      "POST /api/admin/orders/:id/notes",
    ]);
    expect(own[0]).toMatchObject({ outcome: "done", who: { kind: "key", person: { name: `Key ${count}` } } });
    expect((await owner.get(`/api/admin/activity?person=${id}`)).body.data).toEqual(own);
  });

  test("can give away up to the owner's limit a day, and nothing without a limit", async () => {
    const { key } = await makeKey("staff");
    const [first, other] = [await placePaid(), await placePaid()];
    const refund = (id: string, amount: number) =>
      call(key, "POST", `/api/admin/orders/${id}/refund`, { body: { amount } });
    const isRefused = (answer: Pick<Answer, "status" | "body">) =>
      expect([answer.status, answer.body.error]).toEqual([403, "confirmation_required"]);
    isRefused(await refund(first, 100));
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: 500 });
    expect((await refund(first, 300)).status).toBeLessThan(300);
    isRefused(await refund(other, 201));
    expect((await refund(other, 200)).status).toBeLessThan(300);
    isRefused(await refund(other, 1));
    // Each of several concurrent calls sees those before it.
    const twin = await makeKey("staff");
    const orders = await Promise.all([1, 2, 3].map(() => placePaid()));
    const answers = await Promise.all(
      orders.map((id) => call(twin.key, "POST", `/api/admin/orders/${id}/refund`, { body: { amount: 250 } })),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(2);
    shop.travel(25 * hourMs);
    owner = await adminBrowser(shop);
    expect((await refund(other, 400)).status).toBeLessThan(300);
    await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: null });
  });

  test("may make 300 calls a minute", async () => {
    const { key } = await makeKey("packer");
    let last = { status: 0, headers: new Headers() };
    for (let calls = 0; calls <= 300; calls += 1) {
      last = await call(key, "GET", "/api/admin/time-zone");
      if (calls < 300) expect(last.status).toBe(200);
    }
    expect([last.status, Number(last.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    const another = await makeKey("packer");
    expect((await call(another.key, "GET", "/api/admin/time-zone")).status).toBe(200);
  });
});

describe("the Idempotency-Key of a call with an API key", () => {
  const notesOf = async (id: string) => (await owner.get(`/api/admin/orders/${id}`)).body.data.notes.length;

  test("gives a repeat the first answer for 24 hours, and refuses another body", async () => {
    const { key } = await makeKey("staff");
    const id = await placePaid();
    const note = (text: string, idempotencyKey: string, of = key) =>
      call(of, "POST", `/api/admin/orders/${id}/notes`, {
        body: { text },
        headers: { "Idempotency-Key": idempotencyKey },
      });
    const [first, again] = [await note("One", "a"), await note("One", "a")];
    expect(first.status).toBe(201);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    const other = await note("Two", "a");
    expect([other.status, other.body.error]).toEqual([409, "invalid_state"]);
    expect(await notesOf(id)).toBe(1);
    // Another key's is another one.
    expect((await note("Two", "a", (await makeKey("staff")).key)).status).toBe(201);
    const refused = [await note(" ", "b"), await note("x", "x".repeat(256)), await note("x", "")];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(await notesOf(id)).toBe(2);
    shop.travel(24 * hourMs + 1000);
    expect((await note("One", "a")).body.data.id).not.toBe(first.body.data.id);
    owner = await adminBrowser(shop);
    expect(await notesOf(id)).toBe(3);
  });

  test("lets ten repeats on two servers wait for the first, with one effect", async () => {
    const { key } = await makeKey("staff");
    const id = await placePaid();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call(key, "POST", `/api/admin/orders/${id}/notes`, {
          body: { text: "Together" },
          headers: { "Idempotency-Key": "together" },
          at: index % 2 ? second : shop,
        }),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data?.id}`)).size).toBe(1);
    expect(await notesOf(id)).toBe(1);
  });

  test("of a call that a crash interrupted is not run again, unless the call itself cannot take effect twice", async () => {
    const { key, id: keyId } = await makeKey("staff");
    const id = await placePaid();
    const headers = { "Idempotency-Key": "cut" };
    const note = () => call(key, "POST", `/api/admin/orders/${id}/notes`, { body: { text: "Cut" }, headers });
    expect((await note()).status).toBe(201);
    await database.db
      .update(apiKeyAnswers)
      .set({ answer: null, runsUntil: new Date(0) })
      .where(eq(apiKeyAnswers.personId, keyId));
    expect((await note()).body.message).toContain("was interrupted");
    expect(await notesOf(id)).toBe(1);

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
    const { key, id: keyId } = await makeKey("staff");
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
  test("says which role's keys may make a call, with examples that name what is required", async () => {
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
    const [, example = ""] =
      /(curl -X POST [^<]*\/ship&#39;[^<]*|curl -X POST [^<]*\/ship'[^<]*)</.exec(page) ?? [];
    for (const part of ["Authorization: Bearer $API_KEY", "Idempotency-Key: $(uuidgen)", "trackingNumber"]) {
      expect(example).toContain(part);
    }
    expect(page).toContain("API keys: staff, packer.");
  });
});
