import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { insertReviews } from "../../test/reviews.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { raiseIssue } from "../issues/issues.ts";
import { issues } from "../issues/tables.ts";
import { browserName } from "../platform/http/browser-name.ts";
import { makeAccessCode, setAccessCode } from "./access.ts";
import { purgeActivity } from "./activity.ts";
import { activity } from "./tables.ts";

const minuteMs = 60_000;
const firefox = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";

const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());

const signIn = (browser: TestBrowser, accessCode = "open-sesame-1234") =>
  browser.post("/api/admin/verify", { accessCode }, { "User-Agent": firefox });
const readSessions = async () => (await admin.get("/api/admin/sessions")).body.data;
const readNewestActivity = async (subject?: string) =>
  (await admin.get(`/api/admin/activity${subject ? `?subject=${subject}` : ""}`)).body.data[0];

describe("sessions", () => {
  test("are listed with the name of the browser, and the current one is marked", async () => {
    await signIn(shop.browser());
    const allSessions = await readSessions();
    expect(allSessions.find(isOtherSession)).toMatchObject({
      browser: "Firefox on Windows",
      isCurrent: false,
    });
    expect(allSessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
  });

  test("show when they were last used, to the minute", async () => {
    const before = (await readSessions())[0].lastSeenAt;
    shop.travel(minuteMs / 2);
    expect((await readSessions())[0].lastSeenAt).toBe(before);
    shop.travel(minuteMs);
    expect(Date.parse((await readSessions())[0].lastSeenAt) - Date.parse(before)).toBeGreaterThan(minuteMs);
  });

  test("can be ended from another session, with immediate effect", async () => {
    const otherBrowser = shop.browser();
    await signIn(otherBrowser);
    const { id } = (await readSessions()).find(isOtherSession);
    for (const { id } of (await readSessions()).filter(isOtherSession))
      await send(admin, "DELETE", `/api/admin/sessions/${id}`);
    expect((await otherBrowser.get("/api/admin/sessions")).status).toBe(401);
    expect((await send(admin, "DELETE", `/api/admin/sessions/${id}`)).status).toBe(404);
    expect((await admin.get("/api/admin/session")).body.data.authenticated).toBe(true);
  });

  test("can all be ended together, except the current one", async () => {
    const otherBrowsers = [shop.browser(), shop.browser()];
    for (const browser of otherBrowsers) await signIn(browser);
    expect((await send(admin, "DELETE", "/api/admin/sessions")).body.data).toEqual({ ended: 2 });
    for (const browser of otherBrowsers) expect((await browser.get("/api/admin/counts")).status).toBe(401);
    expect(await readSessions()).toHaveLength(1);
  });

  test("expire after 12 hours", async () => {
    const browser = shop.browser();
    await signIn(browser);
    shop.travel(12 * 60 * minuteMs - minuteMs);
    expect((await browser.get("/api/admin/counts")).status).toBe(200);
    shop.travel(2 * minuteMs);
    expect((await browser.get("/api/admin/counts")).status).toBe(401);
    await signIn(admin);
  });

  test("are not prolonged by a clock that was ahead, and neither are confirmations or the wait after wrong codes", async () => {
    const [browser, guesser] = [shop.browser(), shop.browser()];
    await signIn(browser);
    shop.travel(30 * minuteMs);
    await browser.post("/api/admin/account/confirm", { accessCode: "open-sesame-1234" });
    for (let count = 0; count < 5; count += 1) await signIn(guesser, "not-the-code");
    const late = shop.browser();
    await signIn(late);
    shop.travel(-30 * minuteMs);
    expect((await browser.post("/api/admin/api-keys", { name: "Till", role: "staff" })).body.error).toBe(
      "confirmation_required",
    );
    expect((await late.get("/api/admin/counts")).status).toBe(401);
    expect((await signIn(guesser)).status).toBe(200);
  });

  test("end when the access code is changed, and only the new code opens the panel", async () => {
    const code = makeAccessCode();
    expect(await setAccessCode(shop.database.db, code)).toBeGreaterThan(0);
    expect((await admin.get("/api/admin/counts")).status).toBe(401);
    expect((await signIn(admin)).status).toBe(401);
    expect((await signIn(admin, code)).status).toBe(200);
    await setAccessCode(shop.database.db, "open-sesame-1234");
    await signIn(admin);
  });
});

describe("wrong codes from many addresses", () => {
  test("are refused above 30 a minute and raise an issue, while the owner's known browser can sign in", async () => {
    const owner = shop.browser("203.0.113.90");
    expect((await signIn(owner)).status).toBe(200);
    await owner.post("/api/admin/logout");
    shop.travel(2 * minuteMs);

    const tryWrongCode = (index: number) => signIn(shop.browser(`198.51.100.${index}`), "not-the-code");
    const statuses: number[] = [];
    for (let index = 1; index <= 31; index += 1) statuses.push((await tryWrongCode(index)).status);
    expect(statuses).toEqual([...Array(30).fill(401), 429]);
    const correctCode = await signIn(shop.browser("198.51.100.99"));
    expect([correctCode.status, correctCode.headers.get("retry-after")]).toEqual([429, "60"]);
    const rows = await shop.database.db.select().from(issues).where(eq(issues.kind, "wrong_access_codes"));
    expect(rows).toHaveLength(1);
    await shop.database.db.delete(issues).where(eq(issues.kind, "wrong_access_codes"));

    expect((await signIn(owner, "not-the-code")).status).toBe(401);
    expect((await signIn(owner)).status).toBe(200);
    shop.travel(2 * minuteMs);
    expect((await signIn(shop.browser("198.51.100.99"))).status).toBe(200);
  });
});

describe("the activity log", () => {
  test("records sign-ins, wrong codes without the network address, and sign-outs", async () => {
    const browser = shop.browser("203.0.113.77");
    await signIn(browser, "wrong");
    const [wrongCode] = (await admin.get("/api/admin/activity")).body.data;
    expect(wrongCode).toMatchObject({
      summary: "Wrong access code",
      outcome: "refused",
      who: { kind: "nobody" },
    });
    expect(JSON.stringify(wrongCode)).not.toContain("203.0.113.77");
    await signIn(browser);
    await browser.post("/api/admin/logout");
    const [signOut, signInEntry] = (await admin.get("/api/admin/activity")).body.data;
    // The session is deleted by now; its browser is still in the log.
    expect(signOut).toMatchObject({
      summary: "Logged out",
      who: { kind: "session", browser: "Firefox on Windows", isCurrent: false },
    });
    expect(signInEntry).toMatchObject({
      summary: "Unlocked the panel",
      after: { browser: "Firefox on Windows" },
    });
  });

  test("records who changed what, with values before and after but without customers' texts", async () => {
    const [id] = await insertReviews(shop, 1);
    const path = `/api/admin/reviews/${id}`;
    await send(admin, "PATCH", path, { status: "hidden", reason: "Insults" });
    expect(await readNewestActivity(`review:${id}`)).toMatchObject({
      action: "PATCH /api/admin/reviews/:id",
      summary: "Hid a review of 1 star",
      before: { status: "published" },
      after: { status: "hidden", reason: "Insults" },
      outcome: "done",
      who: { kind: "session", isCurrent: true },
    });
    await send(admin, "DELETE", `/api/reviews/${id}`);
    expect(await readNewestActivity("review")).toMatchObject({
      summary: "Deleted a review of 1 star",
      subject: `review:${id}`,
    });
  });

  test("records refused calls", async () => {
    await send(admin, "DELETE", "/api/reviews/999999");
    expect(await readNewestActivity()).toMatchObject({
      action: "DELETE /api/reviews/:id",
      outcome: "refused",
    });
    const order = "00000000-0000-4000-8000-000000000000";
    await admin.post(`/api/admin/orders/${order}/refund`, {});
    expect(
      await readNewestActivity(`order:${order}`),
      "found by its order, with a readable summary",
    ).toMatchObject({
      summary: "Refund an order",
      outcome: "refused",
    });
  });

  test("is paginated, and filtered by subject or by kind of subject", async () => {
    const first = (await admin.get("/api/admin/activity?limit=2")).body;
    const second = (await admin.get(`/api/admin/activity?limit=2&cursor=${first.nextCursor}`)).body;
    const ids = [...first.data, ...second.data].map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    const sessionEntries = (await admin.get("/api/admin/activity?subject=session&limit=100")).body.data;
    expect(new Set(sessionEntries.map(({ subject }: { subject: string }) => subject.split(":")[0]))).toEqual(
      new Set(["session"]),
    );
    for (const query of ["limit=0", "limit=101", "cursor=x", "subject=%25"]) {
      expect((await admin.get(`/api/admin/activity?${query}`)).status).toBe(422);
    }
  });

  test("is kept for two years", async () => {
    const { db } = shop.database;
    const yearsAgo = (years: number) => new Date(Date.now() - years * 366 * 24 * 60 * minuteMs);
    await db.insert(activity).values([
      { at: yearsAgo(2), action: "npm run admin:code", summary: "old" },
      { at: yearsAgo(1), action: "npm run admin:code", summary: "younger" },
    ]);
    await purgeActivity(shop.ctx);
    const entries = (await admin.get("/api/admin/activity?limit=100")).body.data;
    expect(entries.map(({ summary }: { summary: string }) => summary)).not.toContain("old");
    expect(entries.find(({ summary }: { summary: string }) => summary === "younger").who).toEqual({
      kind: "machine",
    });
  });
});

describe("issues", () => {
  const raiseTestIssue = async (subject: string) => {
    const issue = { kind: "amount_differs", subject, orderId: null, message: `${subject} differs` };
    await raiseIssue(shop.database.db, issue);
    const { data } = (await admin.get("/api/admin/attention")).body;
    return data.find(({ message }: { message: string }) => message === issue.message).id as number;
  };

  test("are counted and listed until they are closed with a note", async () => {
    const id = await raiseTestIssue("pi_1");
    expect((await admin.get("/api/admin/counts")).body.data.attention).toBe(1);
    const path = `/api/admin/attention/${id}/resolve`;
    expect((await admin.post(path, { note: " Asked the bank " })).status).toBe(200);
    expect((await admin.get("/api/admin/attention")).body.data).toEqual([]);
    expect((await admin.get("/api/admin/counts")).body.data.attention).toBe(0);
    const repeatedResponse = await admin.post(path, { note: "Something else" });
    expect([repeatedResponse.status, repeatedResponse.body.error]).toEqual([409, "invalid_state"]);
    const [issue] = await shop.database.db.select().from(issues).where(eq(issues.id, id));
    expect(issue?.resolution).toBe("Asked the bank");
    expect(await readNewestActivity(`attention:${id}`)).toMatchObject({ outcome: "refused" });
  });

  test("cannot be closed with an invalid note, and an unknown id returns 404", async () => {
    const id = await raiseTestIssue("pi_2");
    expect((await admin.post("/api/admin/attention/999999/resolve")).status).toBe(404);
    expect((await admin.post("/api/admin/attention/x/resolve")).status).toBe(404);
    expect((await admin.post(`/api/admin/attention/${id}/resolve`, { note: "x".repeat(501) })).status).toBe(
      422,
    );
  });
});

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari on an iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [firefox, "Firefox on Windows"],
  ["curl/8.5", null],
])("the user agent %s is shown as %s", (userAgent, expected) => {
  expect(browserName(userAgent)).toBe(expected);
});

function isOtherSession({ isCurrent }: { isCurrent: boolean }): boolean {
  return !isCurrent;
}
