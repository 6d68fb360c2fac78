import { createHash } from "node:crypto";
import { and, desc, eq, inArray, notInArray, sql } from "drizzle-orm";
import { addressLines } from "../../domain/address/address-format.ts";
import { isSampleParcel, isSampleSender, type LabelSettings } from "../../domain/labels/label-settings.ts";
import type { LabelRate } from "../../domain/labels/labels.ts";
import type { Order } from "../../domain/orders/order.ts";
import { expeditedOptionIds } from "../../domain/shipping/shipping-policy.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { shippingProblem, waitingUnits } from "../order-desk/fulfilment/shipping.ts";
import { findOrder } from "../orders/queries.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { today } from "../settings/today.ts";
import { type CarrierRate, CarrierRefused, type LabelCarrier, type ParcelToSend } from "./carrier.ts";
import { carrierFor } from "./carriers.ts";
import { labelRates, labels } from "./tables.ts";

export type RateRow = typeof labelRates.$inferSelect;

/** An order whose parcel can get a label, with the carrier that would sell it. */
export type ParcelOfOrder = {
  order: Order;
  carrier: LabelCarrier;
  lines: { productId: number; name: string; quantity: number }[];
};

/** The parcel that an order would send now, or why it gets no label. Its ship hold is checked when the label is bought. */
export async function parcelOfOrder(
  ctx: ShopContext,
  db: Db,
  orderId: string,
): Promise<ParcelOfOrder | Problem> {
  const order = await findOrder(db, orderId);
  if (!order) return problem("not_found", "There is no such order.");
  const refused = shippingProblem(order);
  if (refused !== null) return problem("invalid_state", refused);
  const lines = await waitingUnits(db, orderId);
  if (lines.length === 0) return problem("invalid_state", "Nothing of this order is left to ship.");
  if (order.shipping === null) {
    const message =
      "This order’s address is one line, which carriers do not take. Enter its parts under “Correct contact” first.";
    return problem("invalid_state", message);
  }
  const [row] = await db.select({ mode: orders.mode }).from(orders).where(eq(orders.id, orderId));
  const carrier = carrierFor(ctx, row?.mode ?? null);
  if ("problem" in carrier) return carrier;
  return { order, carrier, lines };
}

/** Asks for an order's services and stores them: the proposed one first, then by price. */
export async function askForRates(
  ctx: ShopContext,
  orderId: string,
  parcelId?: string,
): Promise<RateRow[] | Problem> {
  const found = await parcelOfOrder(ctx, ctx.db, orderId);
  if ("problem" in found) return found;
  const { order, carrier } = found;
  const { labels: settings } = await ctx.ownerSettings();
  const parcel = await parcelToSend(ctx, found, settings, parcelId);
  if ("problem" in parcel) return parcel;
  let quote: Awaited<ReturnType<LabelCarrier["quote"]>>;
  try {
    quote = await carrier.quote(parcel);
  } catch (error) {
    if (error instanceof CarrierRefused) return problem("invalid_state", error.message);
    ctx.log.warn({ err: error, orderId }, "the carrier did not answer for rates");
    return problem("provider_unavailable", "The carrier could not be reached. Try again in a minute.");
  }
  const { shipping } = await ctx.settings();
  const isExpedited = expeditedOptionIds(shipping).includes(order.shippingOption.id);
  const wanted = settings.services[isExpedited ? "expedited" : "standard"];
  const sorted = inProposedSequence(onlyNamed(quote.rates, wanted), order.arrival?.latest ?? null);
  if (sorted.length === 0) {
    return problem("invalid_state", "The carrier offers no service for this parcel and address.");
  }
  const used = await ctx.db.$count(
    labels,
    and(eq(labels.orderId, orderId), inArray(labels.state, ["voiding", "voided"])),
  );
  const askedAt = ctx.now();
  const { name: provider, mode } = carrier;
  const rows = sorted.map(
    (rate, at): RateRow => ({
      orderId,
      // A label that was voided is not bought again by a repeated call.
      rateId: rateIdOf([provider, mode, used, parcel, rate.carrier, rate.service, rate.amountCents]),
      provider,
      mode,
      parcelRef: quote.parcelRef,
      ...rate,
      isProposed: at === 0,
      parcelHash: parcelHash(found),
      askedAt,
    }),
  );
  await storeRates(ctx, orderId, rows);
  return rows;
}

async function parcelToSend(
  ctx: ShopContext,
  { order, lines, carrier }: ParcelOfOrder,
  settings: LabelSettings,
  parcelId: string | undefined,
): Promise<ParcelToSend | Problem> {
  const { sender } = settings;
  const parcel = settings.parcels.find(({ id }) => parcelId === undefined || id === parcelId);
  if (!parcel) {
    return problem("validation_failed", "There is no such parcel.", {
      fields: { parcelId: "Choose a parcel of the settings" },
    });
  }
  if (carrier.mode === "live" && (isSampleSender(sender) || isSampleParcel(parcel))) {
    const what = isSampleSender(sender) ? "sender’s address" : "parcel’s size";
    return problem("not_configured", `Enter your own ${what} in Settings, Labels: it is still the sample.`);
  }
  const ids = lines.map(({ productId }) => productId);
  const weights = new Map(
    (
      await ctx.db
        .select({ id: products.id, grams: products.weightGrams })
        .from(products)
        .where(inArray(products.id, ids))
    ).map(({ id, grams }) => [id, grams]),
  );
  const contents = lines.reduce(
    (sum, { productId, quantity }) => sum + quantity * (weights.get(productId) ?? settings.unitGrams),
    0,
  );
  const { shipping, customerName, phone } = order;
  if (shipping === null) throw new Error("The order has no structured address");
  return {
    sender,
    recipient: { name: customerName, phone, address: shipping },
    parcel,
    weightGrams: Math.max(1, contents + parcel.weightGrams),
    today: await today(ctx),
  };
}

/** Lines of the address as printed on the label. */
export function recipientLines(order: Order): string[] {
  return addressLines(order);
}

/** Rates of the named services ("USPS Priority"); all of them if none is named or offered. */
function onlyNamed(rates: readonly CarrierRate[], names: readonly string[]): CarrierRate[] {
  const lower = names.map((name) => name.toLowerCase());
  const named = rates.filter(
    ({ carrier, service }) =>
      lower.includes(service.toLowerCase()) || lower.includes(`${carrier} ${service}`.toLowerCase()),
  );
  return named.length > 0 ? named : [...rates];
}

/**
 * The cheapest service that arrives by the promised day first; if none does, the fastest. Without a promise, the cheapest. Then
 * the others by price.
 */
function inProposedSequence(rates: readonly CarrierRate[], promisedUntil: string | null): CarrierRate[] {
  const byPrice = rates.toSorted((a, b) => a.amountCents - b.amountCents || dayOf(a).localeCompare(dayOf(b)));
  const keepsPromise = byPrice.find((rate) => promisedUntil === null || dayOf(rate) <= promisedUntil);
  const fastest = byPrice.toSorted((a, b) => dayOf(a).localeCompare(dayOf(b)))[0];
  const proposed = keepsPromise ?? fastest;
  return proposed ? [proposed, ...byPrice.filter((rate) => rate !== proposed)] : [];
}

/** A service without a day counts as the slowest. */
const dayOf = ({ arrivesOn }: CarrierRate) => arrivesOn ?? "9999-12-31";

/** Changes with the parcel's address and contents. */
export function parcelHash({ order: { customerName, shipping }, lines }: ParcelOfOrder): string {
  return createHash("sha256")
    .update(JSON.stringify([customerName, shipping, lines]))
    .digest("base64url");
}

function rateIdOf(facts: unknown): string {
  return `rate_${createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 24)}`;
}

async function storeRates({ db }: ShopContext, orderId: string, rows: RateRow[]): Promise<void> {
  const ids = rows.map(({ rateId }) => rateId);
  await db.transaction(async (tx) => {
    // Concurrent callers would delete each other's rates in different sequences.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`label_rates:${orderId}`}, 0))`);
    await tx
      .delete(labelRates)
      .where(and(eq(labelRates.orderId, orderId), notInArray(labelRates.rateId, ids)));
    await tx
      .insert(labelRates)
      .values(rows)
      .onConflictDoUpdate({
        target: [labelRates.orderId, labelRates.rateId],
        set: {
          parcelRef: sql`excluded.parcel_ref`,
          rateRef: sql`excluded.rate_ref`,
          arrivesOn: sql`excluded.arrives_on`,
          isProposed: sql`excluded.is_proposed`,
          parcelHash: sql`excluded.parcel_hash`,
          askedAt: sql`excluded.asked_at`,
        },
      });
  });
}

/** Rates older than this are asked for again: prices change, and the day of arrival with the day. */
const ratesValidMs = 6 * 60 * 60 * 1000;

/** A rate that was offered for an order and is still valid. */
export async function findRate(ctx: ShopContext, orderId: string, rateId: string): Promise<RateRow | null> {
  const [rate] = await ctx.db
    .select()
    .from(labelRates)
    .where(and(eq(labelRates.orderId, orderId), eq(labelRates.rateId, rateId)))
    .orderBy(desc(labelRates.askedAt));
  return rate && ctx.now().getTime() - rate.askedAt.getTime() < ratesValidMs ? rate : null;
}

export function rateOf(row: RateRow, seesAmounts: boolean): LabelRate {
  const { rateId, carrier, service, amountCents: amount, arrivesOn } = row;
  return { rateId, carrier, service, ...(seesAmounts && { amount }), arrivesOn };
}
