import { execFile } from "node:child_process";
import { once } from "node:events";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import type { CheckState, GoLiveCheck } from "../../domain/go-live/go-live.ts";
import { adminBrowser } from "../../test/admin.ts";
import { commandOptions } from "../../test/program-environment.ts";
import { openTestShop } from "../../test/shop.ts";
import { openStripeShop } from "../../test/stripe-shop.ts";
import { activity, adminAccess } from "../admin/tables.ts";
import { backupMarkerFile } from "../backup/queries.ts";
import { productImages, products } from "../catalog/tables.ts";
import { stock } from "../inventory/tables.ts";
import { messages } from "../outbox/tables.ts";
import { neededEventTypes } from "../payment-providers/stripe/event.ts";
import { catchUpEvents } from "../payments/events/catch-up.ts";
import { installation, settings } from "../settings/tables.ts";

const path = "/api/admin/go-live";
const publicUrl = "https://shop.example";
const shop = await openStripeShop({ PUBLIC_URL: publicUrl });
const owner = await adminBrowser(shop);
afterAll(() => shop.stop());

async function readCheck(id: string): Promise<GoLiveCheck> {
  const { checks } = (await owner.get(path)).body.data as { checks: GoLiveCheck[] };
  const check = checks.find((check) => check.id === id);
  if (!check) throw new Error(`there is no check ${id}`);
  return check;
}
const readCheckState = async (id: string): Promise<CheckState> => (await readCheck(id)).state;

describe("the go-live checks", () => {
  test("have a detail, have advice unless they are ok, and contain no secret", async () => {
    const { body } = await owner.get(path);
    const checks: GoLiveCheck[] = body.data.checks;
    expect(checks.length).toBeGreaterThan(18);
    for (const { id, state, detail, todo } of checks) {
      expect(detail, id).toMatch(/\.$/);
      expect(todo === null, id).toBe(state === "ok");
    }
    // Without a mail server nobody is notified by e-mail either.
    expect(checks.find(({ id }) => id === "texts")?.detail).toBe("Not set up.");
    const { problem, warning, ok } = body.data.counts;
    expect(problem + warning + ok).toBe(checks.length);
    for (const secret of [shop.stripe.secretKey, shop.stripe.webhookSecret, "open-sesame-1234"]) {
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  });
});

describe("the go-live checks of payments", () => {
  test("warn of test keys, and report an unreachable Stripe as a problem, not an error", async () => {
    expect(await readCheck("payments")).toMatchObject({
      state: "warning",
      detail: expect.stringMatching("test keys"),
    });
    expect(await readCheckState("provider")).toBe("ok");
    shop.stripe.failNext({ path: "/v1/balance", how: 401 });
    expect(await readCheckState("provider")).toBe("problem");
    shop.stripe.endTrouble();
  });

  test("require the webhook at Stripe to have the shop's exact URL, be enabled and receive all events", async () => {
    const { webhookEndpoints } = shop.stripe;
    const endpoint = {
      url: `${publicUrl}/api/stripe/webhook`,
      status: "disabled" as const,
      enabled_events: ["*"],
    };
    webhookEndpoints.push({ ...endpoint, url: "https://old.example/api/stripe/webhook", status: "enabled" });
    expect((await readCheck("webhook")).detail).toMatch("has no webhook");
    webhookEndpoints.push(endpoint);
    expect((await readCheck("webhook")).detail).toMatch("switched off");
    const enabled_events = neededEventTypes.filter((type) => type !== "refund.failed");
    webhookEndpoints.splice(1, 1, { ...endpoint, status: "enabled", enabled_events });
    expect((await readCheck("webhook")).detail).toMatch("is not sent refund.failed");
    webhookEndpoints.splice(1, 1, { ...endpoint, status: "enabled" });
    expect(await readCheckState("webhook")).toBe("ok");
  });

  test("warn of a key that may not read events, because missed webhooks would be found late", async () => {
    expect(await readCheckState("events_listed")).toBe("ok");
    shop.stripe.failNext({ path: "/v1/events", how: 403 });
    expect(await readCheck("events_listed")).toMatchObject({
      state: "warning",
      todo: expect.stringMatching("permission to read Events"),
    });
  });

  test("are ok once the shop’s domain has been registered for wallets from the panel", async () => {
    expect(await readCheck("wallets")).toMatchObject({
      state: "warning",
      detail: expect.stringMatching("Stripe does not know shop.example"),
    });
    const register = async () => (await owner.post(`${path}/register-domain`)).body.data;
    expect(await register()).toMatchObject({
      isRegistered: true,
      detail: expect.stringMatching("Not Apple Pay: It does not answer."),
    });
    expect(await readCheck("wallets")).toMatchObject({
      state: "warning",
      detail: expect.stringMatching("Apple Pay is not offered there. Stripe says: It does not answer."),
    });
    expect(await register()).toMatchObject({ isRegistered: true });
    expect(await readCheckState("wallets")).toBe("ok");
  });

  test("report a key that may not register domains", async () => {
    shop.stripe.failNext({ path: "/v1/payment_method_domains", how: 403 });
    expect((await readCheck("wallets")).todo).toMatch("Payment method domains");
    shop.stripe.failNext({ path: "/v1/payment_method_domains", how: 403 });
    const refused = (await owner.post(`${path}/register-domain`)).body.data;
    expect(refused).toMatchObject({ isRegistered: false });
  });

  test("do not take events read from Stripe’s list as proof of a working webhook", async () => {
    shop.stripe.addIntent({ amount: 500, currency: "usd", metadata: {} });
    shop.stripe.emitEvent("payment_intent.canceled", { id: "pi_strange", object: "payment_intent" });
    shop.travel(2 * 60 * 1000);
    await catchUpEvents(shop.ctx);
    shop.travel(-2 * 60 * 1000);
    expect(await readCheckState("webhook_signed")).toBe("problem");
  });

  test("test the webhook by Stripe's event about a payment that is cancelled immediately, and record no payment", async () => {
    expect(await readCheckState("webhook_signed")).toBe("problem");
    const before = shop.stripe.events.length;
    const webhookTest = owner.post(`${path}/test-webhook`);
    const findCancelledEvent = () =>
      shop.stripe.events.slice(before).find(({ type }) => type === "payment_intent.canceled");
    while (!findCancelledEvent()) await new Promise((resolve) => setTimeout(resolve, 5));
    await shop.send(findCancelledEvent() as object);
    expect((await webhookTest).body.data).toMatchObject({
      arrived: true,
      detail: expect.stringMatching("Nothing was charged"),
    });
    await shop.jobsDone();
    expect(await readCheckState("webhook_signed")).toBe("ok");
    expect(await readCheckState("attention")).toBe("ok");
    expect(shop.stripe.captured()).toBe(0);
  });

  test("test the sandbox's webhook with a signed event posted to the shop's own public URL", async () => {
    let listener = (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
      void response.writeHead(502).end();
    const publicServer = createServer((request, response) => listener(request, response));
    publicServer.listen(0, "127.0.0.1");
    await once(publicServer, "listening");
    const { port } = publicServer.address() as { port: number };
    const sandbox = await openTestShop({ PUBLIC_URL: `http://127.0.0.1:${port}` });
    try {
      const admin = await adminBrowser(sandbox);
      const unanswered = (await admin.post(`${path}/test-webhook`)).body.data;
      expect(unanswered).toMatchObject({ arrived: false, detail: expect.stringMatching("answered 502") });
      listener = getRequestListener(sandbox.app.fetch) as unknown as typeof listener;
      expect((await admin.post(`${path}/test-webhook`)).body.data).toMatchObject({ arrived: true });
    } finally {
      publicServer.close();
      await sandbox.stop();
    }
  });
});

test("the test e-mail is sent by the outbox, and its check shows its status", async () => {
  expect(await readCheckState("test_email")).toBe("warning");
  const { status, body } = await owner.post(`${path}/test-email`);
  expect(status).toBe(202);
  await shop.jobsDone();
  const { messageId } = body.data;
  const { db } = shop.database;
  const [storedMessage] = await db.select().from(messages).where(eq(messages.id, messageId));
  expect(storedMessage).toMatchObject({
    kind: "test_email",
    status: "kept",
    subject: "Test email from Palmira",
  });
  expect((await readCheck("test_email")).detail).toMatch("kept here");
  await db
    .update(messages)
    .set({ status: "failed", lastError: "no route" })
    .where(eq(messages.id, messageId));
  expect(await readCheck("test_email")).toMatchObject({
    state: "problem",
    detail: expect.stringMatching("no route"),
  });
  expect(await readCheckState("undelivered")).toBe("warning");
  const logEntries = await db.select({ summary: activity.summary }).from(activity);
  expect(logEntries).toContainEqual({ summary: "Sent a test email" });
});

test("default settings are a warning until the owner saves them, changed or not", async () => {
  expect(await readCheckState("tax")).toBe("warning");
  await shop.database.db.insert(settings).values({ key: "tax", value: { mode: "none", rates: [] } });
  expect(await readCheck("tax")).toMatchObject({ state: "ok", detail: "No tax is charged, as you decided." });
  expect(await readCheckState("contact")).toBe("problem");
});

test("the checks of stock, pictures, access code, backup and public URL follow the current state", async () => {
  const { db } = shop.database;
  expect(await readCheckState("address")).toBe("ok");
  await db.update(stock).set({ onHand: 0 });
  expect(await readCheckState("stock")).toBe("problem");
  // A new shop has drawings only; one photograph of each product settles the check.
  expect(await readCheck("pictures")).toMatchObject({
    state: "warning",
    detail: expect.stringMatching("drawn"),
  });
  const photograph = { file: `u-${"a".repeat(16)}.jpg`, alt: "The bottle", width: 1080, height: 1080 };
  await db.delete(productImages);
  expect((await readCheck("pictures")).detail).toMatch("has no picture");
  const productIds = await db.select({ productId: products.id }).from(products);
  await db
    .insert(productImages)
    .values(productIds.map((product) => ({ ...photograph, ...product, position: 99 })));
  expect(await readCheckState("pictures")).toBe("ok");
  // ADMIN_ACCESS_CODE is set here and overrides the stored code.
  await db.update(adminAccess).set({ isGenerated: true });
  expect(await readCheckState("access_code")).toBe("ok");

  expect(await readCheckState("backup")).toBe("warning");
  const marker = join(shop.dataDir, backupMarkerFile);
  writeFileSync(marker, "");
  const longAgo = new Date(Date.now() - 8 * 86_400_000);
  utimesSync(marker, longAgo, longAgo);
  // The metric is current even if the check is never opened.
  expect(await shop.ctx.metrics.text()).toMatch(/^backup_age_seconds 691[23]\d\d/m);
  expect(await readCheckState("backup")).toBe("problem");
  const tomorrow = new Date(Date.now() + 86_400_000);
  utimesSync(marker, tomorrow, tomorrow);
  expect(await readCheckState("backup")).toBe("ok");
  // The time is stored in the database by now, so deleting the folder does not lose it.
  rmSync(shop.dataDir, { recursive: true });
  expect(await readCheckState("backup")).toBe("ok");
  await db.update(installation).set({ lastBackupAt: longAgo });
  expect(await readCheckState("backup")).toBe("problem");
  expect(await readCheckState("clock")).toBe("ok");
});

test("an access code generated by the first start is a warning until it is changed", async () => {
  const newShop = await openTestShop({ ADMIN_ACCESS_CODE: "" });
  try {
    const admin = newShop.browser();
    await admin.post("/api/admin/verify", { accessCode: newShop.newAccessCode });
    const { checks } = (await admin.get(path)).body.data as { checks: GoLiveCheck[] };
    expect(checks.find(({ id }) => id === "access_code")).toMatchObject({
      state: "warning",
      todo: expect.stringContaining("npm run admin:code"),
    });
    expect(checks.find(({ id }) => id === "payments")).toMatchObject({ state: "warning" });
    expect(checks.find(({ id }) => id === "address")).toMatchObject({ state: "problem" });
  } finally {
    await newShop.stop();
  }
});

test("npm run doctor prints the same checks while the shop runs, and exits with 1 while there is a problem", async () => {
  const env = {
    ...process.env,
    DATABASE_URL: shop.database.url,
    DATA_DIR: shop.dataDir,
    PAYMENTS: "sandbox",
  };
  const script = join(import.meta.dirname, "../../scripts/doctor.ts");
  const [code, output] = await new Promise<[unknown, string]>((resolve) => {
    execFile(process.execPath, [...commandOptions, script], { env }, (error, stdout) =>
      resolve([error?.code ?? 0, stdout]),
    );
  });
  expect(code).toBe(1);
  expect(output).toMatch(
    /PROBLEM {2}Contact details: .+\n +Enter an email address\. \(\/admin\/settings\/contact#contact\)/,
  );
  expect(output).toMatch(/ok {7}Clock: /);
});
