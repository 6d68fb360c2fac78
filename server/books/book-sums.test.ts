import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { addDays, dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import { openTestShop } from "../../test/shop.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orderEvents, orders } from "../orders/tables.ts";
import { payments, refunds } from "../payments/tables.ts";
import { visitors } from "../visitors/tables.ts";
import { type BookSum, readBookSums, refreshBookDays } from "./book-sums.ts";
import { type BookSumKind, balanceEntries, bookDays, bookRollup, invoices } from "./tables.ts";

const visitorId = randomUUID();
// Without background work: the test runs the job itself, at times that it chooses.
const shop = await openTestShop({}, { background: "none" });
await shop.database.db.insert(visitors).values({ id: visitorId, tokenHash: Buffer.from(visitorId) });
afterAll(() => shop.stop());

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** An entry that the books should count, as the test remembers it. */
type Fact = { at: number; mode: PaymentMode | null; kind: BookSumKind } & Partial<
  Record<"country" | "state", string> & Record<"amountCents" | "taxCents" | "feeCents", number>
>;
type PlacedOrder = {
  id: string;
  mode: PaymentMode | null;
  country: string;
  state: string;
  goods: number;
  refund: Fact | null;
};

const places = [
  ["US", "TX"],
  ["US", ""],
  ["DE", ""],
  ["FR", "IDF"],
] as const;
const balanceKinds = ["charge", "refund", "fee", "payout"] as const;

/** A random step. `minutesAgo`: how far its entry is dated back; `pick`: chooses an order, place, kind or zone. */
const step = fc.record({
  change: fc.constantFrom(
    ...(["sale", "sale", "sale", "late", "edit", "exchange", "refund", "bounce", "move", "balance"] as const),
    ...(["document", "job", "job", "job", "zone"] as const),
  ),
  minutesLater: fc.oneof(fc.nat(30), fc.nat(3 * 1440)),
  minutesAgo: fc.oneof(fc.constant(0), fc.nat(60), fc.nat(40 * 1440)),
  pick: fc.nat(1000),
  cents: fc.integer({ min: 100, max: 20_000 }),
  mode: fc.constantFrom<PaymentMode | null>("sandbox", "sandbox", "test", "live", null),
});
const zones = ["America/Chicago", "Asia/Kathmandu", "Africa/Cairo", "America/Havana", "Europe/Berlin"];

test("the stored daily sums equal those of orders, refunds, documents and balance entries after random changes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      for (const table of [balanceEntries, invoices, refunds, orderEdits, payments, orderEvents, bookRollup])
        await shop.database.db.delete(table);
      await shop.database.db.execute(sql`truncate orders cascade`);
      const books = new RandomBooks();
      for (const step of steps) await books.apply(step);
      expect(books.comparisons).toBeGreaterThan(10);
    }),
    { numRuns: 6 },
  );
}, 120_000);

class RandomBooks {
  comparisons = 0;
  #nowMs = Date.parse("2026-03-01T12:00Z");
  #zone = 0;
  readonly #facts: Fact[] = [];
  readonly #orders: PlacedOrder[] = [];
  readonly #startMs = this.#nowMs;

  async apply({
    change,
    minutesLater,
    minutesAgo,
    pick,
    cents,
    mode,
  }: typeof step extends fc.Arbitrary<infer T> ? T : never) {
    const { db } = shop.database;
    this.#nowMs += minutesLater * minuteMs;
    const nowMs = this.#nowMs;
    const pastMs = Math.max(this.#startMs, nowMs - minutesAgo * minuteMs);
    const order = this.#orders[pick % Math.max(1, this.#orders.length)];
    const addFact = (kind: BookSumKind, at: number, rest: Partial<Fact> = {}) =>
      this.#facts[this.#facts.push({ kind, at, mode, ...rest }) - 1] as Fact;
    if (change === "job") {
      await refreshBookDays(db, { now: new Date(nowMs), timeZone: zones[this.#zone] ?? "" });
    } else if (change === "zone") {
      this.#zone = pick % zones.length;
    } else if (change === "sale" || change === "late") {
      await this.#sell(pick, { cents, mode, isLate: change === "late" });
    } else if (change === "balance") {
      const kind = balanceKinds[pick % balanceKinds.length] ?? "fee";
      const entry = { provider: "stripe" as const, kind, currency: "USD", createdAt: new Date(pastMs) };
      await db
        .insert(balanceEntries)
        .values({ ...entry, id: randomUUID(), mode: mode ?? "sandbox", amountCents: cents, feeCents: pick });
      addFact(kind, pastMs, { mode: mode ?? "sandbox", amountCents: cents, feeCents: pick });
    } else if (!order) {
      return;
    } else if (change === "edit" || change === "exchange") {
      await this.#edit(order, { cents, isExchange: change === "exchange" });
    } else if (change === "refund" && order.refund === null) {
      const amounts = { goodsCents: cents, shippingCents: 5, taxCents: 7, amountCents: cents + 12 };
      const refund = { id: randomUUID(), orderId: order.id, intentId: `pi_${order.id}` };
      await db
        .insert(refunds)
        .values({ ...refund, ...amounts, status: "succeeded", settledAt: new Date(pastMs) });
      await db.update(orders).set({ status: "refunded" }).where(eq(orders.id, order.id));
      order.refund = addFact("sold_back", pastMs, {
        mode: order.mode,
        ...pickPlace(order),
        amountCents: cents + 5,
        taxCents: 7,
      });
    } else if (change === "bounce" && order.refund !== null) {
      await db
        .update(refunds)
        .set({ status: "failed", settledAt: null })
        .where(eq(refunds.orderId, order.id));
      this.#facts.splice(this.#facts.indexOf(order.refund), 1);
      order.refund = null;
    } else if (change === "move") {
      await db
        .update(orders)
        .set({
          shipping: {
            line1: "2 Main St",
            line2: null,
            city: "Lyon",
            state: "",
            postalCode: "69001",
            country: "FR",
          },
        })
        .where(eq(orders.id, order.id));
    } else if (change === "document") {
      const number = this.#facts.length + 1;
      const document = {
        id: randomUUID(),
        orderId: order.id,
        orderEditId: await this.#addEmptyEdit(order, number),
      };
      await db.insert(invoices).values({
        ...document,
        mode: mode ?? "sandbox",
        kind: "invoice",
        year: 2026,
        number,
        issuedAt: new Date(nowMs),
        totalCents: 1,
        snapshot: {} as typeof invoices.$inferInsert.snapshot,
      });
      addFact("document", nowMs, { mode: mode ?? "sandbox" });
    }
    await this.#compare(pick);
  }

  /** `isLate`: the payment came too late and was only refunded, so it is no sale. */
  async #sell(
    pick: number,
    { cents, mode, isLate }: { cents: number; mode: PaymentMode | null; isLate: boolean },
  ) {
    const [country, state] = places[pick % places.length] ?? places[0];
    const id = randomUUID();
    const at = new Date(this.#nowMs);
    const taxCents = pick % 300;
    await shop.database.db.insert(orders).values({
      id,
      visitorId,
      status: isLate ? "refunded" : "completed",
      mode,
      currency: "USD",
      email: "a@example.com",
      customerName: "A",
      shippingAddress: "1 Main St",
      shipping: { line1: "1 Main St", line2: null, city: "Austin", state, postalCode: "1", country },
      shippingOptionId: "us-standard",
      shippingOptionName: "Standard",
      subtotalCents: cents,
      discountCents: 50,
      shippingCents: 595,
      taxCents,
      totalCents: cents - 50 + 595 + taxCents,
      givingPercent: 20,
      requestHash: Buffer.alloc(1),
      createdAt: at,
      expiresAt: at,
      paidAt: at,
    });
    if (isLate) return;
    await shop.database.db
      .insert(orderEvents)
      .values({ orderId: id, at, toStatus: "completed", actor: "system" });
    this.#orders.push({ id, mode, country, state, goods: cents, refund: null });
    const amountCents = cents - 50 + 595;
    this.#facts.push({
      at: this.#nowMs,
      mode,
      kind: "sold",
      ...pickPlace({ country, state }),
      amountCents,
      taxCents,
    });
  }

  async #edit(order: PlacedOrder, { cents, isExchange }: { cents: number; isExchange: boolean }) {
    const { id: orderId, mode } = order;
    const taxCents = 9;
    await shop.database.db.insert(orderEdits).values({
      ...emptyEdit(orderId, new Date(this.#nowMs)),
      goodsCents: cents,
      shippingCents: 3,
      taxCents,
      removedCents: isExchange ? 100 : 0,
      differenceCents: cents + 12 - (isExchange ? 100 : 0),
      exchangedGoodsCents: isExchange ? 90 : 0,
      exchangedTaxCents: isExchange ? 10 : 0,
      exchangeId: isExchange ? randomUUID() : null,
    });
    await shop.database.db
      .update(orders)
      .set({
        subtotalCents: sql`${orders.subtotalCents} + ${cents}::int`,
        addedGoodsCents: sql`${orders.addedGoodsCents} + ${cents}::int`,
        shippingCents: sql`${orders.shippingCents} + 3`,
        addedShippingCents: sql`${orders.addedShippingCents} + 3`,
        taxCents: sql`${orders.taxCents} + 9`,
        addedTaxCents: sql`${orders.addedTaxCents} + 9`,
        totalCents: sql`${orders.totalCents} + ${cents + 12}::int`,
        exchangedCents: sql`${orders.exchangedCents} + ${isExchange ? 100 : 0}::int`,
      })
      .where(eq(orders.id, orderId));
    const at = this.#nowMs;
    this.#facts.push({ at, mode, kind: "sold", ...pickPlace(order), amountCents: cents + 3, taxCents });
    if (isExchange)
      this.#facts.push({ at, mode, kind: "sold_back", ...pickPlace(order), amountCents: 90, taxCents: 10 });
  }

  /** Adds an edit that changes nothing, because each further invoice of an order needs a separate edit. */
  async #addEmptyEdit(order: PlacedOrder, number: number): Promise<string> {
    const edit = {
      ...emptyEdit(order.id, new Date(this.#nowMs)),
      note: String(number),
      status: "withdrawn" as const,
    };
    await shop.database.db.insert(orderEdits).values(edit);
    return edit.id;
  }

  async #compare(pick: number): Promise<void> {
    const timeZone = zones[this.#zone] ?? "";
    const today = dateIn(timeZone, new Date(this.#nowMs));
    for (const [daysAgo, dayCount] of [
      [4000, 5000],
      [pick % 60, pick % 17],
      [0, 1],
    ] as const) {
      const firstDay = addDays(today, -daysAgo);
      const end = startOfDay(timeZone, addDays(firstDay, dayCount)).getTime();
      const [from, before] = [startOfDay(timeZone, firstDay), new Date(Math.min(end, this.#nowMs + 1))];
      if (from >= before) continue;
      const dates = { from: firstDay, to: today };
      const sums = await readBookSums(shop.ctx, { from, before, timeZone, dates });
      const expected = sumFacts(
        this.#facts.filter(({ at }) => at >= from.getTime() && at < before.getTime()),
      );
      expect(byKey(sums)).toEqual(byKey(expected));
      this.comparisons += 1;
    }
  }
}

const pickPlace = ({ country, state }: { country: string; state: string }) => ({ country, state });

function emptyEdit(orderId: string, at: Date) {
  return {
    id: randomUUID(),
    orderId,
    status: "applied" as const,
    before: {} as typeof orderEdits.$inferInsert.before,
    after: {} as typeof orderEdits.$inferInsert.after,
    goodsCents: 0,
    shippingCents: 0,
    taxCents: 0,
    removedCents: 0,
    differenceCents: 0,
    createdAt: at,
    endedAt: at,
  };
}

/** In the mode "sandbox", orders of unknown mode count as well. */
function sumFacts(facts: readonly Fact[]): BookSum[] {
  const sums = new Map<string, BookSum>();
  for (const { mode, kind, country, state, amountCents = 0, taxCents = 0, feeCents = 0 } of facts) {
    if (mode !== "sandbox" && mode !== null) continue;
    const key = JSON.stringify([kind, country, state]);
    const sum = sums.get(key) ?? {
      kind,
      country: country || null,
      state: state || null,
      entries: 0,
      amountCents: 0,
      taxCents: 0,
      feeCents: 0,
    };
    sum.entries += 1;
    sum.amountCents += amountCents;
    sum.taxCents += taxCents;
    sum.feeCents += feeCents;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

const byKey = (sums: readonly BookSum[]) =>
  Object.fromEntries(sums.map((sum) => [`${sum.kind} ${sum.country} ${sum.state}`, sum]));

test("sums stored by another version or for another time zone are not used, and neither are those of a day with a late entry", async () => {
  const { db } = shop.database;
  const at = new Date(Date.now() - 20 * dayMs);
  await db.delete(balanceEntries);
  const entry = {
    provider: "stripe" as const,
    mode: "sandbox" as const,
    kind: "fee" as const,
    currency: "USD",
  };
  const add = (cents: number) =>
    db
      .insert(balanceEntries)
      .values({ ...entry, id: randomUUID(), amountCents: cents, feeCents: 0, createdAt: at });
  const readFees = async (timeZone = "UTC") => {
    const from = startOfDay(timeZone, dateIn(timeZone, new Date(at.getTime() - dayMs)));
    const period = { from, before: new Date(), timeZone, dates: { from: "", to: "" } };
    return (await readBookSums(shop.ctx, period)).find(({ kind }) => kind === "fee")?.amountCents;
  };
  const recentEntry = {
    ...entry,
    id: randomUUID(),
    amountCents: 1,
    feeCents: 0,
    createdAt: new Date(Date.now() - 3 * dayMs),
  };
  await db.insert(balanceEntries).values(recentEntry);
  await add(100);
  await refreshBookDays(db, { now: new Date(), timeZone: "UTC" });
  // Falsified stored sums show whether they or the entries themselves are read.
  const falsifySums = () => db.update(bookDays).set({ amountCents: 7777 }).where(eq(bookDays.kind, "fee"));
  await falsifySums();
  expect(await readFees()).toBe(7777 + 1);
  expect(await readFees("Asia/Tokyo")).toBe(101);
  await add(50);
  expect(await readFees(), "the job has not run since").toBe(151);
  await refreshBookDays(db, { now: new Date(), timeZone: "UTC" });
  expect(await readFees(), "the job summed that day again").toBe(151);
  await falsifySums();
  await db.update(bookRollup).set({ version: 0 });
  expect(await readFees()).toBe(151);
  await refreshBookDays(db, { now: new Date(), timeZone: "UTC" });
  expect(await readFees()).toBe(151);
  await falsifySums();
  await refreshBookDays(db, { now: new Date(Date.now() + dayMs), timeZone: "UTC" });
  expect(await readFees(), "all days are computed again once a day").toBe(151);
  await refreshBookDays(db, { now: new Date(Date.now() + 365 * dayMs), timeZone: "UTC" });
  await falsifySums();
  await refreshBookDays(db, { now: new Date(), timeZone: "UTC" });
  expect(await readFees(), "a clock that was ahead does not put that off").toBe(151);
});
