import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import { SoftPasskey } from "../../test/passkey.ts";
import { seedsOf } from "../../test/seeded.ts";
import type { Answer, TestBrowser } from "../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { issues } from "../issues/tables.ts";
import { watchSettings } from "../settings/watch.ts";

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

const confirmCode = (browser: TestBrowser) =>
  browser.post("/api/admin/account/confirm", { accessCode: "open-sesame-1234" });

async function confirmStaff(): Promise<void> {
  const { body } = await staff.post("/api/admin/account/confirm/question");
  const answer = await staff.post("/api/admin/account/confirm", { passkey: passkey.use(body.data) });
  expect(answer.status).toBe(200);
}

type Paid = { id: string; intentId: string };
async function buy(quantity = 3): Promise<Paid> {
  const { body } = await order(shop.browser(), { quantity });
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { id: body.orderId, intentId: body.paymentIntentId };
}

async function dispute({ intentId }: Paid): Promise<string> {
  const from = shop.stripe.events.length;
  shop.stripe.dispute(intentId);
  await shop.send(...shop.stripe.events.slice(from));
  await shop.jobsDone();
  return shop.stripe.disputeOf(intentId).id;
}

const refund = (by: TestBrowser, { id }: Paid, amount?: number) =>
  by.post(`/api/admin/orders/${id}/refund`, amount === undefined ? {} : { amount });
const cancel = (by: TestBrowser, { id }: Paid) => by.post(`/api/admin/orders/${id}/cancel`, {});

/** Removes one bottle from an order of several; `difference` is the refund. */
async function takeOne(by: TestBrowser, { id }: Paid): Promise<Answer & { difference: number }> {
  const requested = { remove: [{ productId: 1, quantity: 1 }] };
  const preview = await by.post(`/api/admin/orders/${id}/items/preview`, requested);
  if (preview.status !== 200) return { ...preview, difference: 0 };
  const { version, difference } = preview.body.data;
  const answer = await by.post(`/api/admin/orders/${id}/items`, { ...requested, version, difference });
  return { ...answer, difference: -difference };
}

const draft = (discountCents: number) => ({
  email: "phone@example.com",
  customerName: "Ida Kern",
  phone: "",
  discountCents,
  shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
  shippingOption: "us-standard",
  items: [{ productId: 1, quantity: 3 }],
});
const write = (by: TestBrowser, discountCents: number, more: object = {}) =>
  by.post("/api/admin/drafts", { ...draft(discountCents), ...more });

const isAsked = ({ status, body }: Pick<Answer, "status" | "body">) =>
  status === 403 && body.error === "confirmation_required";
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

describe("the limit counts amounts given away since the last confirmation", () => {
  test("in small refunds, successive or concurrent, and cancellations", async () => {
    const paid = await buy();
    expect((await refund(staff, paid, 600)).status).toBe(200);
    const second = await refund(staff, paid, 600);
    expect(isAsked(second)).toBe(true);
    expect(second.body.message).toContain("$12.00 in all, $6.00 of it now");
    expect(isAsked(await cancel(staff, paid))).toBe(true);

    const before = await refundedBy();
    const orders = await Promise.all(Array.from({ length: 8 }, () => buy(1)));
    const atOnce = await Promise.all(orders.map((each) => refund(staff, each, 400)));
    expect(statuses(atOnce)).toEqual([200, ...Array.from({ length: 7 }, () => 403)]);
    expect((await refundedBy()).staff - before.staff).toBe(400);

    await confirmStaff();
    expect((await cancel(staff, paid)).status).toBe(200);
  });

  test("in order edits, draft orders and disputes", async () => {
    const paid = await buy();
    const { difference, ...edited } = await takeOne(owner, paid);
    expect(difference).toBeGreaterThan(limitCents);
    expect(isAsked(edited)).toBe(true);
    expect((await owner.get(`/api/admin/orders/${paid.id}`)).body.data.items[0].quantity).toBe(3);

    const first = await write(owner, 500);
    expect(first.status).toBe(201);
    const { id, revision } = first.body.data;
    const more = await send(owner, "PATCH", `/api/admin/drafts/${id}`, { ...draft(1_001), revision });
    expect(isAsked(more)).toBe(true);
    expect((await owner.get(`/api/admin/drafts/${id}`)).body.data).toMatchObject({
      discountCents: 500,
      revision,
    });
    // A discount that the draft already had is not counted again.
    const same = await send(owner, "PATCH", `/api/admin/drafts/${id}`, { ...draft(1_000), revision });
    expect(same.status).toBe(200);
    expect(isAsked(await owner.post(`/api/admin/drafts/${id}/duplicate`))).toBe(true);
    // A discount counted for one person does not cover another person's draft, or one for a different buyer.
    const { revision: now } = (await owner.get(`/api/admin/drafts/${id}`)).body.data;
    const own = { ...draft(1_000), email: "sams-own@example.com", revision: now };
    const home = { ...draft(1_000), shipping: { ...draft(0).shipping, line1: "9 Elm St" }, revision: now };
    expect((await staff.post("/api/admin/drafts", draft(1))).status).toBe(201);
    // Agreed prices count as a discount does, raised ones take nothing off.
    const at = (price: number) => ({ ...draft(0), items: [{ productId: 1, quantity: 3, price }] });
    expect((await owner.post("/api/admin/drafts", at(3_500))).status).toBe(201);
    expect(isAsked(await owner.post("/api/admin/drafts", at(2_994)))).toBe(true);
    expect(isAsked(await send(staff, "PATCH", `/api/admin/drafts/${id}`, own))).toBe(true);
    expect(isAsked(await send(staff, "PATCH", `/api/admin/drafts/${id}`, home))).toBe(true);
    expect(isAsked(await refund(owner, paid, 1))).toBe(true);

    const disputeId = await dispute(paid);
    const { amount } = shop.stripe.disputeOf(paid.intentId);
    const accept = () => owner.post(`/api/admin/disputes/${disputeId}/accept`, { amount });
    expect(isAsked(await accept())).toBe(true);
    expect(shop.stripe.disputeOf(paid.intentId).status).toBe("needs_response");
    await confirmCode(owner);
    expect((await accept()).status).toBe(200);
  });

  test("in units that an edit adds at the agreed price of a draft", async () => {
    const items = [{ productId: 1, quantity: 1, price: 2_295 }];
    const { id, quote } = (await write(staff, 0, { items })).body.data;
    const cash = { revision: 1, method: "cash", reason: "At the market", amount: quote.totals.total };
    const { order: made } = (await staff.post(`/api/admin/drafts/${id}/paid`, cash)).body.data;
    const requested = { add: [{ productId: 1, quantity: 1 }] };
    const preview = await staff.post(`/api/admin/orders/${made.id}/items/preview`, requested);
    const { version, difference } = preview.body.data;
    expect(difference).toBe(2_295);
    const edit = () =>
      staff.post(`/api/admin/orders/${made.id}/items`, { ...requested, version, difference });
    expect(isAsked(await edit())).toBe(true);
    await confirmStaff();
    expect((await edit()).status).toBe(200);
  });

  test("including disputed amounts of a cancelled order, which are refunded once the dispute is won", async () => {
    const paid = await buy();
    const disputeId = await dispute(paid);
    expect(isAsked(await cancel(staff, paid))).toBe(true);
    expect((await owner.get(`/api/admin/orders/${paid.id}`)).body.data.cancelledAt).toBeNull();
    await confirmStaff();
    expect((await cancel(staff, paid)).status).toBe(200);
    const from = shop.stripe.events.length;
    shop.stripe.closeDispute(disputeId, "won");
    await shop.send(...shop.stripe.events.slice(from));
    await shop.jobsDone();
    expect((await owner.get(`/api/admin/orders/${paid.id}`)).body.data.status).toBe("refunded");
    shop.travel(11 * minuteMs);
    expect(isAsked(await refund(staff, await buy(), 1))).toBe(true);
  });

  test("per person over all sessions, while a confirmation holds for its session and ten minutes", async () => {
    const paid = await buy();
    const other = await adminBrowser(shop);
    shop.travel(11 * minuteMs);
    expect((await refund(owner, paid, 600)).status).toBe(200);
    expect(isAsked(await refund(other, paid, 600))).toBe(true);
    // Amounts are added up for each person separately.
    expect((await refund(staff, paid, 600)).status).toBe(200);

    await confirmCode(other);
    expect(isAsked(await refund(owner, paid, 600))).toBe(true);
    shop.travel(10 * minuteMs - 5_000);
    expect((await refund(other, paid, 1_500)).status).toBe(200);
    shop.travel(10_000);
    expect(isAsked(await refund(other, paid, 1))).toBe(true);
    // Signing in counts as a confirmation.
    expect((await refund(await adminBrowser(shop), paid, 1_500)).status).toBe(200);
  });

  test("even by a session that has ended, and no confirmation is asked for without a limit", async () => {
    const orders = await Promise.all(Array.from({ length: 4 }, () => buy(1)));
    const before = await refundedBy();
    const spare = await adminBrowser(shop);
    shop.travel(11 * minuteMs);
    await Promise.all([...orders.map((each) => refund(spare, each, 900)), spare.post("/api/admin/logout")]);
    expect((await refundedBy()).code - before.code).toBeLessThanOrEqual(limitCents);

    const boss = await adminBrowser(shop);
    const limitTo = (cents: number | null) =>
      send(boss, "PATCH", "/api/admin/settings", { confirmAboveCents: cents });
    expect((await limitTo(null)).status).toBe(200);
    expect((await refund(owner, await buy())).status).toBe(200);
    expect((await limitTo(limitCents)).status).toBe(200);
  });
});

type Way = "refund" | "all" | "cancel" | "edit" | "draft" | "dispute";
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("give" as const),
      tries: fc.array(
        fc.record({
          which: fc.nat({ max: 2 }),
          way: fc.constantFrom<Way>(
            "refund",
            "refund",
            "refund",
            "draft",
            "draft",
            "edit",
            "all",
            "cancel",
            "dispute",
          ),
          cents: fc.integer({ min: 1, max: 700 }),
          order: fc.nat({ max: 3 }),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("confirm" as const), which: fc.nat({ max: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 11 }) }),
  },
);

type Session = {
  browser: TestBrowser;
  person: "code" | "staff";
  /** Minutes since the session was confirmed, and cents that its person has given away since then. */
  age: number;
  given: number;
};

/** Orders that the random steps act on; the last one is disputed. */
type Scene = { orders: Paid[]; disputeId: string };

/** Attempts once; returns the cents given away other than by a refund. */
async function give(
  { browser: by }: Session,
  { way, cents, order: index }: { way: Way; cents: number; order: number },
  { orders, disputeId }: Scene,
): Promise<{ answer: Answer; cents: number }> {
  const paid = orders[index % orders.length] ?? { id: "", intentId: "" };
  const none = (answer: Answer) => ({ answer, cents: 0 });
  switch (way) {
    case "refund":
      return none(await refund(by, paid, cents));
    case "all":
      return none(await refund(by, paid));
    case "cancel":
      return none(await cancel(by, paid));
    case "edit":
      return none(await takeOne(by, paid));
    case "draft":
      return { answer: await write(by, cents), cents };
    case "dispute": {
      const { amount, status } = shop.stripe.disputeOf(orders[3]?.intentId ?? "");
      const answer = await by.post(`/api/admin/disputes/${disputeId}/accept`, { amount });
      return { answer, cents: status === "needs_response" ? amount : 0 };
    }
  }
}

/** Two sessions by access code and one of staff give money away in every way, several at once. */
test.each(seedsOf(11, 22))(
  "random refunds never exceed the limit without a confirmation (seed %i)",
  async (seed) => {
    let [given, asked] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
        const openSession = (browser: TestBrowser, person: Session["person"]) => ({
          browser,
          person,
          age: 0,
          given: 0,
        });
        const sessions: Session[] = [
          openSession(await adminBrowser(shop), "code"),
          openSession(await adminBrowser(shop), "code"),
          openSession(staff, "staff"),
        ];
        await confirmStaff();
        const orders = await Promise.all(Array.from({ length: 4 }, () => buy(2)));
        const scene = { orders, disputeId: await dispute(orders[3] as Paid) };
        for (const each of steps) {
          if (each.kind === "wait") {
            shop.travel(each.minutes * minuteMs);
            for (const one of sessions) one.age += each.minutes;
            continue;
          }
          if (each.kind === "confirm") {
            const one = sessions[each.which] as Session;
            await (one.person === "code" ? confirmCode(one.browser) : confirmStaff());
            Object.assign(one, { age: 0, given: 0 });
            continue;
          }
          const before = await refundedBy();
          const tried = await Promise.all(
            each.tries.map(async (one) => {
              const by = sessions[one.which] as Session;
              return { by, ...(await give(by, one, scene)) };
            }),
          );
          const after = await refundedBy();
          for (const person of ["code", "staff"] as const) {
            const theirs = tried.filter(({ by }) => by.person === person);
            const done = theirs.filter(({ answer }) => answer.status < 300);
            const sum = done.reduce((all, { cents }) => all + cents, after[person] - before[person]);
            const unconfirmed = [...new Set(done.map(({ by }) => by))].filter(({ age }) => age >= 10);
            // The last of concurrent calls was checked against the whole sum.
            if (sum > 0 && done.every(({ by }) => by.age >= 10)) {
              expect(Math.min(...unconfirmed.map((one) => one.given + sum))).toBeLessThanOrEqual(limitCents);
            }
            for (const one of sessions) if (one.person === person) one.given += sum;
            given += sum;
          }
          for (const { by, answer } of tried) {
            expect([200, 201, 202, 403, 409, 422], JSON.stringify(answer.body)).toContain(answer.status);
            if (!isAsked(answer)) continue;
            asked += 1;
            expect(by.age).toBeGreaterThanOrEqual(10);
          }
        }
        await shop.jobsDone();
      }),
      { seed, numRuns: 4, endOnFailure: true },
    );
    expect(Math.min(given, asked)).toBeGreaterThan(0);
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
  const raised = await db.select().from(issues).where(eq(issues.kind, "setting_unreadable"));
  expect(raised.map(({ message }) => message)).toEqual([
    expect.stringContaining("every refund and discount must be confirmed"),
  ]);
  await confirmCode(owner);
  expect((await removeLimit()).status).toBe(200);
  const alerts = await db.execute(
    sql`select data ->> 'what' as what from messages where kind = 'owner_security'`,
  );
  expect(alerts.rows).toContainEqual({
    what: "The limit for refunds and discounts without confirmation, which could not be read, was removed",
  });
});

/** Cents of refunds that people in the panel requested, by person. */
async function refundedBy(): Promise<Record<Session["person"], number>> {
  const { rows } = await shop.database.db.execute<{ code: number; staff: number }>(sql`
    select coalesce(sum(amount_cents) filter (where person_id is null), 0)::int as code,
      coalesce(sum(amount_cents) filter (where person_id is not null), 0)::int as staff
    from refunds where actor = 'owner'`);
  return rows[0] ?? { code: 0, staff: 0 };
}
