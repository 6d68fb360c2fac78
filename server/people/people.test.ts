import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { SoftPasskey } from "../../test/passkey.ts";
import { buyBottle } from "../../test/reviews.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { issues } from "../issues/tables.ts";
import { people } from "./tables.ts";

const minuteMs = 60_000;

let shop: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop();
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

let invitedCount = 0;
const inviteAs = async (role: string) => {
  invitedCount += 1;
  const body = { name: `Person ${invitedCount}`, email: `person-${invitedCount}@example.com`, role };
  const response = await owner.post("/api/admin/people", body);
  expect(response.status).toBe(201);
  const { person, link } = response.body.data;
  return { person, link: String(link), token: new URL(link).searchParams.get("token") ?? "" };
};
const accept = (browser: TestBrowser, token: string) => browser.post("/api/admin/invitation", { token });

/** A browser signed in as a new person with this role. */
async function joinAs(role: string) {
  const { person, token } = await inviteAs(role);
  const browser = shop.browser();
  expect((await accept(browser, token)).status).toBe(200);
  return { browser, person };
}

async function addPasskey(browser: TestBrowser, name = "Phone") {
  const passkey = new SoftPasskey(shop.ctx.config.publicUrl);
  const { body: challenge } = await browser.post("/api/admin/account/passkeys/question");
  const response = { name, passkey: passkey.create(challenge.data) };
  const added = await browser.post("/api/admin/account/passkeys", response);
  expect([added.status, added.body]).toMatchObject([201, { data: { name } }]);
  return { passkey, id: added.body.data.id as string, response };
}

const fetchChallenge = async (browser: TestBrowser) =>
  (await browser.post("/api/admin/passkey/question")).body.data;
const signIn = async (browser: TestBrowser, passkey: SoftPasskey) =>
  browser.post("/api/admin/passkey", { passkey: passkey.use(await fetchChallenge(browser)) });
const fetchRole = async (browser: TestBrowser) => (await browser.get("/api/admin/account")).body.data?.role;

describe("an invitation", () => {
  test("has its link in the response if there is no mail server, and the link works once", async () => {
    const { person, token } = await inviteAs("staff");
    expect(person).toMatchObject({ role: "staff", state: "invited", passkeys: 0 });
    const people = await owner.get("/api/admin/people");
    expect(JSON.stringify(people.body)).not.toContain(token);

    const browser = shop.browser();
    const invitation = await browser.get(`/api/admin/invitation?token=${token}`);
    expect(invitation.body.data).toMatchObject({ name: person.name, role: "staff" });
    expect((await accept(browser, token)).status).toBe(200);
    expect(await fetchRole(browser)).toBe("staff");

    const second = shop.browser();
    expect((await accept(second, token)).status).toBe(404);
    expect((await second.get(`/api/admin/invitation?token=${token}`)).status).toBe(404);
    expect(await fetchRole(second)).toBeUndefined();
  });

  test("signs in only one of several browsers that use its link at once", async () => {
    const { token } = await inviteAs("packer");
    const browsers = Array.from({ length: 4 }, () => shop.browser());
    const responses = await Promise.all(browsers.map((browser) => accept(browser, token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  });

  test("works for three days, unless it is replaced or withdrawn", async () => {
    const firstInvitation = await inviteAs("staff");
    shop.travel(72 * 60 * minuteMs + minuteMs);
    owner = await adminBrowser(shop);
    expect((await accept(shop.browser(), firstInvitation.token)).status).toBe(404);

    const path = `/api/admin/people/${firstInvitation.person.id}/invitation`;
    const again = await owner.post(path);
    const secondToken = new URL(again.body.data.link).searchParams.get("token") ?? "";
    const lastToken = new URL((await owner.post(path)).body.data.link).searchParams.get("token") ?? "";
    expect((await accept(shop.browser(), secondToken)).status).toBe(404);
    expect((await send(owner, "DELETE", path)).status).toBe(200);
    expect((await accept(shop.browser(), lastToken)).status).toBe(404);
    expect(
      await shop.database.db.select().from(people).where(eq(people.id, firstInvitation.person.id)),
    ).toEqual([]);
  });

  test("is refused for an e-mail address that another person has, in upper or lower case", async () => {
    const { person } = await inviteAs("staff");
    const body = { name: "Twin", email: person.email.toUpperCase(), role: "owner" };
    const { status, body: response } = await owner.post("/api/admin/people", body);
    expect([status, response.fields]).toMatchObject([422, { email: expect.any(String) }]);
  });
});

describe("a person", () => {
  test("appears by name in the activity log and the list of sessions", async () => {
    const { browser, person } = await joinAs("staff");
    await browser.post("/api/admin/discounts", { code: "NAMED", kind: "percent", value: 10 });
    const { body } = await owner.get("/api/admin/activity");
    expect(body.data[0].who).toMatchObject({ kind: "session", person: { id: person.id, name: person.name } });
    const own = (await browser.get("/api/admin/sessions")).body.data;
    expect(own).toMatchObject([
      { isCurrent: true, person: { name: person.name }, address: expect.any(String) },
    ]);
    const all = (await owner.get("/api/admin/sessions")).body.data;
    expect(all.length).toBeGreaterThan(1);
  });

  test("may end only their own sessions, unless they are the owner", async () => {
    const { browser } = await joinAs("staff");
    const others = (await owner.get("/api/admin/sessions")).body.data;
    const [ownerSession] = others.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect((await send(browser, "DELETE", `/api/admin/sessions/${ownerSession.id}`)).status).toBe(404);
    expect((await send(browser, "DELETE", "/api/admin/sessions")).body.data).toEqual({ ended: 0 });
    // The owner signs out of forgotten devices without locking out colleagues.
    await adminBrowser(shop);
    const ended = await send(owner, "DELETE", "/api/admin/sessions?of=own");
    expect(ended.body.data.ended).toBeGreaterThan(0);
    expect(await fetchRole(browser)).toBe("staff");
    expect(await fetchRole(owner)).toBe("owner");
  });

  test("is signed out everywhere when the account is deactivated, and cannot sign in again", async () => {
    const { browser, person } = await joinAs("staff");
    const { passkey } = await addPasskey(browser);
    const second = shop.browser();
    expect((await signIn(second, passkey)).status).toBe(200);

    const path = `/api/admin/people/${person.id}`;
    expect((await send(owner, "PATCH", path, { active: false })).body.data).toMatchObject({
      state: "deactivated",
      sessions: 0,
    });
    for (const signedOut of [browser, second])
      expect((await signedOut.get("/api/admin/counts")).status).toBe(401);
    expect((await signIn(second, passkey)).status).toBe(401);
    expect((await owner.post(`${path}/invitation`)).status).toBe(409);

    await send(owner, "PATCH", path, { active: true });
    expect((await signIn(second, passkey)).status).toBe(200);
  });

  test("has the rights of a changed role from the next call on", async () => {
    const { browser, person } = await joinAs("accountant");
    expect((await browser.get("/api/admin/discounts")).status).toBe(403);
    await send(owner, "PATCH", `/api/admin/people/${person.id}`, { role: "staff" });
    expect((await browser.get("/api/admin/discounts")).status).toBe(200);
  });

  test("cannot change their own role or account", async () => {
    const { browser, person } = await joinAs("owner");
    const path = `/api/admin/people/${person.id}`;
    expect((await send(browser, "PATCH", path, { role: "staff" })).status).toBe(409);
    expect((await send(browser, "PATCH", path, { active: false })).status).toBe(409);
    expect((await send(browser, "PATCH", path, { name: "Renamed" })).status).toBe(200);
  });

  test("can be created in a session opened by the access code, which becomes that person's session", async () => {
    const browser = await adminBrowser(shop);
    const account = { name: "Ada Owner", email: "ada@example.com" };
    expect((await browser.post("/api/admin/account", account)).status).toBe(201);
    expect((await browser.get("/api/admin/account")).body.data).toMatchObject({
      role: "owner",
      person: { name: "Ada Owner" },
    });
    expect((await browser.post("/api/admin/account", { ...account, email: "b@example.com" })).status).toBe(
      409,
    );
    expect((await owner.post("/api/admin/account", account)).status).toBe(422);
  });
});

test("an order’s timeline names the person who acted, but only in the panel", async () => {
  const buyer = shop.browser();
  const orderId = await buyBottle(shop, buyer);
  const [ana, bea, packer] = [await joinAs("staff"), await joinAs("staff"), await joinAs("packer")];
  const path = `/api/admin/orders/${orderId}`;
  await ana.browser.post(`${path}/refund`, { amount: 500, reason: "A dent" });
  await shop.jobsDone();
  await packer.browser.post(`${path}/ship`, { carrier: "UPS", trackingNumber: "1Z5R89390357567127" });
  await owner.post(`${path}/deliver`);
  const timeline = (await bea.browser.get(path)).body.data.events;
  const authors = timeline.map(({ actor, by }: { actor: string; by: string | null }) => [actor, by]);
  const byName = ({ person }: typeof ana) => ["owner", person.name];
  expect(authors.slice(-3)).toEqual([byName(ana), byName(packer), ["owner", null]]);
  expect(authors.slice(0, -3).every(([actor, by]: string[]) => actor !== "owner" && by === null)).toBe(true);

  const buyersResponses = [
    await buyer.get(`/api/orders/${orderId}`),
    await buyer.fetch(`/orders/${orderId}`),
  ];
  const texts = await Promise.all(
    buyersResponses.map(async (response) =>
      "text" in response ? response.text() : JSON.stringify(response.body),
    ),
  );
  for (const text of texts) {
    for (const { person } of [ana, packer]) expect(text).not.toContain(person.name);
    expect(text).not.toMatch(/"by"|personId/);
  }
  expect((await packer.browser.get(path)).body.data.events).toEqual([]);
});

describe("a refund above the limit", () => {
  const limitTo = (browser: TestBrowser, confirmAboveCents: number | null) =>
    send(browser, "PATCH", "/api/admin/settings", { confirmAboveCents });
  const refund = (browser: TestBrowser, orderId: string, amount?: number) =>
    browser.post(`/api/admin/orders/${orderId}/refund`, amount === undefined ? {} : { amount });

  test("requires the passkey again, or the access code in a session that the code opened", async () => {
    const buyer = shop.browser();
    const orderId = await buyBottle(shop, buyer);
    const { browser } = await joinAs("staff");
    const { passkey } = await addPasskey(browser);
    expect((await limitTo(owner, 1_000)).status).toBe(200);
    shop.travel(11 * minuteMs);

    expect((await refund(browser, orderId, 1_000)).status).toBe(200);
    const refusal = await refund(browser, orderId, 1_001);
    expect([refusal.status, refusal.body.error]).toEqual([403, "confirmation_required"]);
    expect(refusal.body.message).toContain("$10.01");
    expect((await refund(browser, orderId)).status).toBe(403);
    expect((await browser.post(`/api/admin/orders/${orderId}/cancel`, {})).status).toBe(403);

    const { body: challenge } = await browser.post("/api/admin/account/confirm/question");
    await browser.post("/api/admin/account/confirm", { passkey: passkey.use(challenge.data) });
    expect((await refund(browser, orderId, 1_001)).status).toBe(200);
    shop.travel(11 * minuteMs);
    expect((await refund(browser, orderId)).status).toBe(403);

    // Changing the limit requires it too.
    expect((await limitTo(owner, null)).body.error).toBe("confirmation_required");
    const confirm = (accessCode: string) => owner.post("/api/admin/account/confirm", { accessCode });
    expect((await confirm("not-the-code")).status).toBe(409);
    expect((await limitTo(owner, null)).status).toBe(403);
    expect((await confirm("open-sesame-1234")).status).toBe(200);
    expect((await limitTo(owner, null)).status).toBe(200);
    expect((await refund(browser, orderId)).status).toBe(200);
  });
});

describe("a passkey", () => {
  test("signs in, has the time of its last use, and can be renamed", async () => {
    const { browser } = await joinAs("staff");
    const { passkey, id } = await addPasskey(browser);
    const other = shop.browser();
    expect((await signIn(other, passkey)).status).toBe(200);
    expect(await fetchRole(other)).toBe("staff");
    await send(other, "PATCH", `/api/admin/account/passkeys/${id}`, { name: "Old phone" });
    const [listedPasskey] = (await other.get("/api/admin/account")).body.data.passkeys;
    expect(listedPasskey).toMatchObject({ name: "Old phone", lastUsedAt: expect.any(String) });
  });

  test("can be removed even if it is the last one, but only with `evenLast`", async () => {
    const { browser } = await joinAs("staff");
    const first = await addPasskey(browser);
    const second = await addPasskey(browser, "Desk");
    const path = (id: string) => `/api/admin/account/passkeys/${id}`;
    expect((await send(browser, "DELETE", path(first.id))).status).toBe(200);
    expect((await send(browser, "DELETE", path(second.id))).status).toBe(409);
    expect((await send(browser, "DELETE", `${path(second.id)}?evenLast=yes`)).status).toBe(200);
    expect((await signIn(shop.browser(), second.passkey)).status).toBe(401);
  });

  test("cannot be renamed or removed by another person", async () => {
    const { browser } = await joinAs("staff");
    const { id } = await addPasskey(browser);
    const { browser: other } = await joinAs("owner");
    const path = `/api/admin/account/passkeys/${id}`;
    expect((await send(other, "PATCH", path, { name: "Mine" })).status).toBe(404);
    expect((await send(other, "DELETE", path)).status).toBe(404);
  });

  test("is accepted once per challenge, in time, and only for the shop's own unchanged challenges", async () => {
    const { browser } = await joinAs("staff");
    const { passkey, response } = await addPasskey(browser);
    expect((await browser.post("/api/admin/account/passkeys", response)).status).toBe(409);

    const caller = () => shop.browser();
    const signInBody = { passkey: passkey.use(await fetchChallenge(caller())) };
    expect((await caller().post("/api/admin/passkey", signInBody)).status).toBe(200);
    const replayed = await caller().post("/api/admin/passkey", signInBody);
    expect([replayed.status, replayed.body.error]).toEqual([401, "unauthorized"]);

    const inventedResponse = passkey.use({
      challenge: Buffer.from("never asked for by the shop").toString("base64url"),
    });
    expect((await caller().post("/api/admin/passkey", { passkey: inventedResponse })).status).toBe(401);

    const challenge = await fetchChallenge(caller());
    const tamperedResponse = passkey.use(challenge);
    const clientData = JSON.parse(
      Buffer.from(tamperedResponse.response.clientDataJSON, "base64url").toString(),
    );
    const changed = { ...clientData, challenge: (await fetchChallenge(caller())).challenge };
    tamperedResponse.response.clientDataJSON = Buffer.from(JSON.stringify(changed)).toString("base64url");
    expect((await caller().post("/api/admin/passkey", { passkey: tamperedResponse })).status).toBe(401);

    const lateResponse = passkey.use(await fetchChallenge(caller()));
    shop.travel(6 * minuteMs);
    expect((await caller().post("/api/admin/passkey", { passkey: lateResponse })).status).toBe(401);

    const otherSitePasskey = new SoftPasskey("https://elsewhere.example");
    Object.assign(otherSitePasskey, { credentialId: passkey.credentialId });
    const foreign = { passkey: otherSitePasskey.use(await fetchChallenge(caller())) };
    expect((await caller().post("/api/admin/passkey", foreign)).status).toBe(401);
  });

  test("with a lower counter is refused, and an issue warns of a possible copy", async () => {
    const { browser } = await joinAs("staff");
    const { passkey } = await addPasskey(browser);
    expect((await signIn(shop.browser(), passkey)).status).toBe(200);
    passkey.counter -= 1;
    expect((await signIn(shop.browser(), passkey)).status).toBe(401);
    const raisedIssues = await shop.database.db
      .select()
      .from(issues)
      .where(eq(issues.kind, "passkey_copied"));
    expect(raisedIssues).toHaveLength(1);
  });

  test("has five attempts per minute, like the access code", async () => {
    const stranger = shop.browser();
    const wrong = new SoftPasskey(shop.ctx.config.publicUrl);
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await signIn(stranger, wrong)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("can be added if there are others only after a confirmation with one of them", async () => {
    const { browser } = await joinAs("staff");
    const { passkey } = await addPasskey(browser);
    shop.travel(11 * minuteMs);
    const refused = await browser.post("/api/admin/account/passkeys/question");
    expect([refused.status, refused.body.error]).toEqual([403, "confirmation_required"]);
    const { body: challenge } = await browser.post("/api/admin/account/confirm/question");
    const signInChallenge = await fetchChallenge(browser);
    const confirm = (passkey: unknown) => browser.post("/api/admin/account/confirm", { passkey });
    expect((await confirm(passkey.use(signInChallenge))).status).toBe(409);
    expect((await confirm(passkey.use(challenge.data))).status).toBe(200);
    expect((await browser.post("/api/admin/account/passkeys/question")).status).toBe(200);
  });
});
