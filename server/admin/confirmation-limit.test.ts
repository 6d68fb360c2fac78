import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import { SoftPasskey } from "../../test/passkey.ts";
import { chooseSeeds } from "../../test/seeded.ts";
import type { ApiResponse, TestBrowser } from "../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { issues } from "../issues/tables.ts";
import { watchSettings } from "../settings/feature.ts";

const minuteMs = 60_000;
const limitCents = 1_000;

let shop: StripeShop;
let owner: TestBrowser;
let staff: TestBrowser;
let passkey: SoftPasskey;
beforeAll(async () => {
  shop = await openStripeShop();
  owner = await adminBrowser(shop);
  const person = { name: "Sam", email: "sam@palmira.example", role: "staff" };
  const { link } = (await owner.post("/api/admin/people", person)).body.data;
  staff = shop.browser();
  await staff.post("/api/admin/invitation", { token: new URL(link).searchParams.get("token") });
  passkey = new SoftPasskey(shop.ctx.config.publicUrl);
  const question = await staff.post("/api/admin/account/passkeys/question");
  await staff.post("/api/admin/account/passkeys", {
    name: "Phone",
    passkey: passkey.create(question.body.data),
  });
  expect((await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: limitCents })).status).toBe(
    200,
  );
});
afterAll(() => shop.stop());
beforeEach(async () => {
  owner = await adminBrowser(shop);
  await confirmStaff();
  shop.travel(11 * minuteMs);
});

const confirmByCode = (browser: TestBrowser) =>
  browser.post("/api/admin/account/confirm", { accessCode: "open-sesame-1234" });

async function confirmStaff(): Promise<void> {
  const { body } = await staff.post("/api/admin/account/confirm/question");
  const response = await staff.post("/api/admin/account/confirm", { passkey: passkey.use(body.data) });
  expect(response.status).toBe(200);
}

type PaidOrder = { id: string; intentId: string };
async function buy(quantity = 3): Promise<PaidOrder> {
  const { body } = await order(shop.browser(), { quantity });
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { id: body.orderId, intentId: body.paymentIntentId };
}

async function dispute({ intentId }: PaidOrder): Promise<string> {
  const eventCount = shop.stripe.events.length;
  shop.stripe.dispute(intentId);
  await shop.send(...shop.stripe.events.slice(eventCount));
  await shop.jobsDone();
  return shop.stripe.findDispute(intentId).id;
}

const refund = (browser: TestBrowser, { id }: PaidOrder, amount?: number) =>
  browser.post(`/api/admin/orders/${id}/refund`, amount === undefined ? {} : { amount });
const cancel = (browser: TestBrowser, { id }: PaidOrder) =>
  browser.post(`/api/admin/orders/${id}/cancel`, {});

/** Removes one bottle from an order of several; `difference` is the refund. */
async function removeOneBottle(
  browser: TestBrowser,
  { id }: PaidOrder,
): Promise<ApiResponse & { difference: number }> {
  const requested = { remove: [{ productId: 1, quantity: 1 }] };
  const preview = await browser.post(`/api/admin/orders/${id}/items/preview`, requested);
  if (preview.status !== 200) return { ...preview, difference: 0 };
  const { version, difference } = preview.body.data;
  const response = await browser.post(`/api/admin/orders/${id}/items`, { ...requested, version, difference });
  return { ...response, difference: -difference };
}

const draftFields = (discountCents: number) => ({
  email: "phone@example.com",
  customerName: "Ida Kern",
  phone: "",
  discountCents,
  shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
  shippingOption: "us-standard",
  items: [{ productId: 1, quantity: 3 }],
});
const createDraft = (browser: TestBrowser, discountCents: number, fields: object = {}) =>
  browser.post("/api/admin/drafts", { ...draftFields(discountCents), ...fields });

const needsConfirmation = ({ status, body }: Pick<ApiResponse, "status" | "body">) =>
  status === 403 && body.error === "confirmation_required";
const sortedStatuses = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status).sort();

describe("the limit counts amounts given away since the last confirmation", () => {
  test("in small refunds, successive or concurrent, and cancellations", async () => {
    const paid = await buy();
    expect((await refund(staff, paid, 600)).status).toBe(200);
    const second = await refund(staff, paid, 600);
    expect(needsConfirmation(second)).toBe(true);
    expect(second.body.message).toContain("$12.00 in all, $6.00 of it now");
    expect(needsConfirmation(await cancel(staff, paid))).toBe(true);

    const before = await readRefundedCents();
    const orders = await Promise.all(Array.from({ length: 8 }, () => buy(1)));
    const responses = await Promise.all(orders.map((order) => refund(staff, order, 400)));
    expect(sortedStatuses(responses)).toEqual([200, ...Array.from({ length: 7 }, () => 403)]);
    expect((await readRefundedCents()).staff - before.staff).toBe(400);

    await confirmStaff();
    expect((await cancel(staff, paid)).status).toBe(200);
  });

  test("in order edits, draft orders and disputes", async () => {
    const paid = await buy();
    const { difference, ...edited } = await removeOneBottle(owner, paid);
    expect(difference).toBeGreaterThan(limitCents);
    expect(needsConfirmation(edited)).toBe(true);
    expect((await owner.get(`/api/admin/orders/${paid.id}`)).body.data.items[0].quantity).toBe(3);

    const first = await createDraft(owner, 500);
    expect(first.status).toBe(201);
    const { id, revision } = first.body.data;
    const raised = await send(owner, "PATCH", `/api/admin/drafts/${id}`, { ...draftFields(1_001), revision });
    expect(needsConfirmation(raised)).toBe(true);
    expect((await owner.get(`/api/admin/drafts/${id}`)).body.data).toMatchObject({
      discountCents: 500,
      revision,
    });
    // A discount that the draft already had is not counted again.
    const unchanged = await send(owner, "PATCH", `/api/admin/drafts/${id}`, {
      ...draftFields(1_000),
      revision,
    });
    expect(unchanged.status).toBe(200);
    expect(needsConfirmation(await owner.post(`/api/admin/drafts/${id}/duplicate`))).toBe(true);
    // A discount counted for one person does not cover another person's draft, or one for a different buyer.
    const { revision: currentRevision } = (await owner.get(`/api/admin/drafts/${id}`)).body.data;
    const otherBuyer = { ...draftFields(1_000), email: "sams-own@example.com", revision: currentRevision };
    const otherAddress = {
      ...draftFields(1_000),
      shipping: { ...draftFields(0).shipping, line1: "9 Elm St" },
      revision: currentRevision,
    };
    expect((await staff.post("/api/admin/drafts", draftFields(1))).status).toBe(201);
    // An agreed price below the shop's counts like a discount; a higher one does not count.
    const draftPricedAt = (price: number) => ({
      ...draftFields(0),
      items: [{ productId: 1, quantity: 3, price }],
    });
    expect((await owner.post("/api/admin/drafts", draftPricedAt(3_500))).status).toBe(201);
    expect(needsConfirmation(await owner.post("/api/admin/drafts", draftPricedAt(2_994)))).toBe(true);
    expect(needsConfirmation(await send(staff, "PATCH", `/api/admin/drafts/${id}`, otherBuyer))).toBe(true);
    expect(needsConfirmation(await send(staff, "PATCH", `/api/admin/drafts/${id}`, otherAddress))).toBe(true);
    expect(needsConfirmation(await refund(owner, paid, 1))).toBe(true);

    const disputeId = await dispute(paid);
    const { amount } = shop.stripe.findDispute(paid.intentId);
    const accept = () => owner.post(`/api/admin/disputes/${disputeId}/accept`, { amount });
    expect(needsConfirmation(await accept())).toBe(true);
    expect(shop.stripe.findDispute(paid.intentId).status).toBe("needs_response");
    await confirmByCode(owner);
    expect((await accept()).status).toBe(200);
  });

  test("in units that an order edit adds at a draft order's agreed price", async () => {
    const items = [{ productId: 1, quantity: 1, price: 2_295 }];
    const { id, quote } = (await createDraft(staff, 0, { items })).body.data;
    const cash = { revision: 1, method: "cash", reason: "At the market", amount: quote.totals.total };
    const { order: draftOrder } = (await staff.post(`/api/admin/drafts/${id}/paid`, cash)).body.data;
    const requested = { add: [{ productId: 1, quantity: 1 }] };
    const preview = await staff.post(`/api/admin/orders/${draftOrder.id}/items/preview`, requested);
    const { version, difference } = preview.body.data;
    expect(difference).toBe(2_295);
    const saveEdit = () =>
      staff.post(`/api/admin/orders/${draftOrder.id}/items`, { ...requested, version, difference });
    expect(needsConfirmation(await saveEdit())).toBe(true);
    await confirmStaff();
    expect((await saveEdit()).status).toBe(200);
  });

  test("in units that an order edit adds at the price from before an increase", async () => {
    const setPrice = (price: number) => send(staff, "PUT", "/api/products/1/price", { price });
    await setPrice(50);
    const { body } = await order(shop.browser(), { price: 50 });
    await shop.send(shop.stripe.pay(body.paymentIntentId));
    await shop.jobsDone();
    await setPrice(2_995);
    const path = `/api/admin/orders/${body.orderId}/items`;
    const requested = { add: [{ productId: 1, quantity: 20 }] };
    const { version, difference } = (await staff.post(`${path}/preview`, requested)).body.data;
    expect(difference).toBe(1_000);
    expect(needsConfirmation(await staff.post(path, { ...requested, version, difference }))).toBe(true);
  });

  test("including disputed amounts of a cancelled order, which are refunded once the dispute is won", async () => {
    const paid = await buy();
    const disputeId = await dispute(paid);
    expect(needsConfirmation(await cancel(staff, paid))).toBe(true);
    expect((await owner.get(`/api/admin/orders/${paid.id}`)).body.data.cancelledAt).toBeNull();
    await confirmStaff();
    expect((await cancel(staff, paid)).status).toBe(200);
    const eventCount = shop.stripe.events.length;
    shop.stripe.closeDispute(disputeId, "won");
    await shop.send(...shop.stripe.events.slice(eventCount));
    await shop.jobsDone();
    expect((await owner.get(`/api/admin/orders/${paid.id}`)).body.data.status).toBe("refunded");
    shop.travel(11 * minuteMs);
    expect(needsConfirmation(await refund(staff, await buy(), 1))).toBe(true);
  });

  test("per person over all sessions, although a confirmation is valid only in its own session, for ten minutes", async () => {
    const paid = await buy();
    const otherSession = await adminBrowser(shop);
    shop.travel(11 * minuteMs);
    expect((await refund(owner, paid, 600)).status).toBe(200);
    expect(needsConfirmation(await refund(otherSession, paid, 600))).toBe(true);
    // Amounts are added up for each person separately.
    expect((await refund(staff, paid, 600)).status).toBe(200);

    await confirmByCode(otherSession);
    expect(needsConfirmation(await refund(owner, paid, 600))).toBe(true);
    shop.travel(10 * minuteMs - 5_000);
    expect((await refund(otherSession, paid, 1_500)).status).toBe(200);
    shop.travel(10_000);
    expect(needsConfirmation(await refund(otherSession, paid, 1))).toBe(true);
    // Signing in counts as a confirmation.
    expect((await refund(await adminBrowser(shop), paid, 1_500)).status).toBe(200);
  });

  test("including concurrent refunds of a session that is signing out, and only while a limit is set", async () => {
    const orders = await Promise.all(Array.from({ length: 4 }, () => buy(1)));
    const before = await readRefundedCents();
    const endingSession = await adminBrowser(shop);
    shop.travel(11 * minuteMs);
    await Promise.all([
      ...orders.map((order) => refund(endingSession, order, 900)),
      endingSession.post("/api/admin/logout"),
    ]);
    expect((await readRefundedCents()).code - before.code).toBeLessThanOrEqual(limitCents);

    const admin = await adminBrowser(shop);
    const setLimit = (cents: number | null) =>
      send(admin, "PATCH", "/api/admin/settings", { confirmAboveCents: cents });
    expect((await setLimit(null)).status).toBe(200);
    expect((await refund(owner, await buy())).status).toBe(200);
    expect((await setLimit(limitCents)).status).toBe(200);
  });
});

type Method = "refund" | "full refund" | "cancel" | "edit" | "draft" | "dispute";
const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("give" as const),
      calls: fc.array(
        fc.record({
          sessionIndex: fc.nat({ max: 2 }),
          method: fc.constantFrom<Method>(
            "refund",
            "refund",
            "refund",
            "draft",
            "draft",
            "edit",
            "full refund",
            "cancel",
            "dispute",
          ),
          cents: fc.integer({ min: 1, max: 700 }),
          orderIndex: fc.nat({ max: 3 }),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("confirm" as const), sessionIndex: fc.nat({ max: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 11 }) }),
  },
);

type Session = {
  browser: TestBrowser;
  person: "code" | "staff";
  minutesSinceConfirmation: number;
  /** Amount that the session's person has given away since its confirmation. */
  givenCents: number;
};

/** Orders that the random steps use; the last one is disputed. */
type Targets = { orders: PaidOrder[]; disputeId: string };

/** Makes one call; returns its answer and the cents given away other than by a refund. */
async function attempt(
  { browser }: Session,
  { method, cents, orderIndex }: { method: Method; cents: number; orderIndex: number },
  { orders, disputeId }: Targets,
): Promise<{ response: ApiResponse; cents: number }> {
  const paid = orders[orderIndex % orders.length] ?? { id: "", intentId: "" };
  const asRefund = (response: ApiResponse) => ({ response, cents: 0 });
  switch (method) {
    case "refund":
      return asRefund(await refund(browser, paid, cents));
    case "full refund":
      return asRefund(await refund(browser, paid));
    case "cancel":
      return asRefund(await cancel(browser, paid));
    case "edit":
      return asRefund(await removeOneBottle(browser, paid));
    case "draft":
      return { response: await createDraft(browser, cents), cents };
    case "dispute": {
      const { amount, status } = shop.stripe.findDispute(orders[3]?.intentId ?? "");
      const response = await browser.post(`/api/admin/disputes/${disputeId}/accept`, { amount });
      return { response, cents: status === "needs_response" ? amount : 0 };
    }
  }
}

/** Two sessions by access code and one of staff give money away by every method, several at the same time. */
test.each(chooseSeeds(11, 22))(
  "random refunds, discounts and accepted disputes never exceed the limit without a confirmation (seed %i)",
  async (seed) => {
    let [givenCents, refusalCount] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 14 }), async (steps) => {
        const openSession = (browser: TestBrowser, person: Session["person"]) => ({
          browser,
          person,
          minutesSinceConfirmation: 0,
          givenCents: 0,
        });
        const sessions: Session[] = [
          openSession(await adminBrowser(shop), "code"),
          openSession(await adminBrowser(shop), "code"),
          openSession(staff, "staff"),
        ];
        await confirmStaff();
        const orders = await Promise.all(Array.from({ length: 4 }, () => buy(2)));
        const targets = { orders, disputeId: await dispute(orders[3] as PaidOrder) };
        for (const step of steps) {
          if (step.kind === "wait") {
            shop.travel(step.minutes * minuteMs);
            for (const session of sessions) session.minutesSinceConfirmation += step.minutes;
            continue;
          }
          if (step.kind === "confirm") {
            const session = sessions[step.sessionIndex] as Session;
            await (session.person === "code" ? confirmByCode(session.browser) : confirmStaff());
            Object.assign(session, { minutesSinceConfirmation: 0, givenCents: 0 });
            continue;
          }
          const before = await readRefundedCents();
          const attempts = await Promise.all(
            step.calls.map(async (call) => {
              const session = sessions[call.sessionIndex] as Session;
              return { session, ...(await attempt(session, call, targets)) };
            }),
          );
          const after = await readRefundedCents();
          for (const person of ["code", "staff"] as const) {
            const personAttempts = attempts.filter(({ session }) => session.person === person);
            const succeeded = personAttempts.filter(({ response }) => response.status < 300);
            const sum = succeeded.reduce((all, { cents }) => all + cents, after[person] - before[person]);
            const unconfirmed = [...new Set(succeeded.map(({ session }) => session))].filter(
              ({ minutesSinceConfirmation }) => minutesSinceConfirmation >= 10,
            );
            // Of concurrent calls, the last one was checked against the whole sum.
            if (sum > 0 && succeeded.every(({ session }) => session.minutesSinceConfirmation >= 10)) {
              expect(Math.min(...unconfirmed.map((session) => session.givenCents + sum))).toBeLessThanOrEqual(
                limitCents,
              );
            }
            for (const session of sessions) if (session.person === person) session.givenCents += sum;
            givenCents += sum;
          }
          for (const { session, response } of attempts) {
            expect([200, 201, 202, 403, 409, 422], JSON.stringify(response.body)).toContain(response.status);
            if (!needsConfirmation(response)) continue;
            refusalCount += 1;
            expect(session.minutesSinceConfirmation).toBeGreaterThanOrEqual(10);
          }
        }
        await shop.jobsDone();
      }),
      { seed, numRuns: 4, endOnFailure: true },
    );
    expect(Math.min(givenCents, refusalCount)).toBeGreaterThan(0);
  },
  60_000,
);

test("an unreadable limit requires a confirmation for every amount until it is saved again", async () => {
  const { db } = shop.database;
  await db.execute(sql`update settings set value = '"much"' where key = 'confirmAboveCents'`);
  await expect.poll(async () => (await shop.ctx.ownerSettings()).confirmAboveCents).toBe(0);
  const paid = await buy();
  expect(await refund(staff, paid, 1)).toMatchObject({
    status: 403,
    body: { error: "confirmation_required" },
  });
  const removeLimit = () => send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: null });
  expect(await removeLimit()).toMatchObject({ status: 403, body: { error: "confirmation_required" } });
  await db.transaction((tx) => watchSettings(shop.ctx, tx));
  const rows = await db.select().from(issues).where(eq(issues.kind, "setting_unreadable"));
  expect(rows.map(({ message }) => message)).toEqual([
    expect.stringContaining("every refund and discount must be confirmed"),
  ]);
  await confirmByCode(owner);
  expect((await removeLimit()).status).toBe(200);
  const alerts = await db.execute(
    sql`select data ->> 'what' as what from messages where kind = 'owner_security'`,
  );
  expect(alerts.rows).toContainEqual({
    what: "The limit for refunds and discounts without confirmation, which could not be read, was removed",
  });
});

/** Cents of refunds that people in the panel requested, by person. */
async function readRefundedCents(): Promise<Record<Session["person"], number>> {
  const { rows } = await shop.database.db.execute<{ code: number; staff: number }>(sql`
    select coalesce(sum(amount_cents) filter (where person_id is null), 0)::int as code,
      coalesce(sum(amount_cents) filter (where person_id is not null), 0)::int as staff
    from refunds where actor = 'owner'`);
  return rows[0] ?? { code: 0, staff: 0 };
}
