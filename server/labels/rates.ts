import { createHash } from "node:crypto";
import { and, desc, eq, inArray, notInArray, sql } from "drizzle-orm";
import { isSampleParcel, isSampleSender, type LabelSettings } from "../../domain/labels/label-settings.ts";
import type { CarrierName, LabelAddress, LabelRate } from "../../domain/labels/labels.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { expeditedOptionIds } from "../../domain/shipping/shipping-policy.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import {
  type CarrierRate,
  CarrierRefused,
  type CustomsItem,
  type LabelCarrier,
  type ParcelToSend,
  type Recipient,
} from "../label-providers/carrier.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { today } from "../settings/today.ts";
import { type ParcelOfOrder, parcelHash, readOrderParcel } from "./parcel.ts";
import { labelRates, labels } from "./tables.ts";

export type RateRow = typeof labelRates.$inferSelect;

/** Requests the services for an order or a return and stores them: the proposed one first, then by price. */
export async function requestRates(
  ctx: ShopContext,
  orderId: string,
  { parcelId, returnId = null }: { parcelId?: string | undefined; returnId?: string | null | undefined } = {},
): Promise<RateRow[] | Problem> {
  const orderParcel = await readOrderParcel(ctx, ctx.db, orderId, returnId);
  if ("problem" in orderParcel) return orderParcel;
  const { order, carriers } = orderParcel;
  const { labels: settings } = await ctx.ownerSettings();
  const parcel = await readParcel(ctx, orderParcel, settings, parcelId);
  if ("problem" in parcel) return parcel;
  const offers = await fetchOffers(ctx, carriers, parcel);
  if ("problem" in offers) return offers;
  const { shipping } = await ctx.settings();
  const isReturn = returnId !== null;
  const isExpedited = !isReturn && expeditedOptionIds(shipping).includes(order.shippingOption.id);
  const promisedUntil = isReturn ? null : (order.arrival?.latest ?? null);
  const sortedOffers = sortOffers(offers, settings, { isExpedited, promisedUntil });
  if (sortedOffers.length === 0) {
    return problem("invalid_state", "The carrier offers no service for this parcel and address.");
  }
  const voidedCount = await ctx.db.$count(
    labels,
    and(eq(labels.orderId, orderId), inArray(labels.state, ["voiding", "voided"])),
  );
  const askedAt = ctx.now();
  const rows = sortedOffers.map(
    ({ provider, mode, ...rate }, index): RateRow => ({
      orderId,
      // Differs after a label was voided, so that a repeated call does not buy the voided label's rate.
      rateId: createRateId([
        provider,
        mode,
        voidedCount,
        parcel,
        rate.carrier,
        rate.service,
        rate.amountCents,
        returnId,
      ]),
      provider,
      mode,
      ...rate,
      isProposed: index === 0,
      parcelHash: parcelHash(orderParcel),
      returnId,
      askedAt,
    }),
  );
  await storeRates(ctx, { orderId, returnId }, rows);
  return rows;
}

type Offer = CarrierRate & { parcelRef: string; provider: CarrierName; mode: PaymentMode };

/** Services of all carriers that respond; if none does, the problem of the first one. */
export async function fetchOffers(
  ctx: ShopContext,
  carriers: readonly LabelCarrier[],
  parcel: ParcelToSend,
  signal?: AbortSignal,
): Promise<Offer[] | Problem> {
  const results = await Promise.allSettled(
    carriers.map(async ({ name: provider, mode, quote }) => {
      const { parcelRef, rates } = await quote(parcel, signal);
      return rates.map((rate) => ({ ...rate, parcelRef, provider, mode }));
    }),
  );
  const errors = results.flatMap((result) =>
    result.status === "rejected" ? [result.reason as unknown] : [],
  );
  for (const err of errors) ctx.log.warn({ err }, "a carrier offered no services");
  if (errors.length < carriers.length)
    return results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  const [firstError] = errors;
  if (firstError instanceof CarrierRefused) return problem("invalid_state", firstError.message);
  return problem("provider_unavailable", "The carrier could not be reached. Try again in a minute.");
}

/** The carriers' check of the order's address; a missing response counts as no problem. */
export async function checkAddress(
  ctx: ShopContext,
  { order, carriers }: ParcelOfOrder,
): Promise<LabelAddress> {
  const { customerName: name, phone, shipping: address } = order;
  const noProblem = { problem: null, correction: null };
  const [carrier] = carriers;
  const pendingCheck = carrier && address ? carrier.checkAddress({ name, phone, address }) : noProblem;
  const check = await Promise.resolve(pendingCheck).catch((err: unknown) => {
    ctx.log.warn({ err, orderId: order.id }, "an address could not be checked");
    return noProblem;
  });
  return { ...check, entered: address };
}

async function readParcel(
  ctx: ShopContext,
  { order, lines, carriers, returnId }: ParcelOfOrder,
  settings: LabelSettings,
  parcelId: string | undefined,
): Promise<ParcelToSend | Problem> {
  const { sender } = settings;
  const { shipping: address, customerName: name, phone, items } = order;
  if (address === null) throw new Error("The order has no structured address");
  if (returnId !== null && address.country !== sender.country) {
    const message =
      "Return labels are sold within your own country: from another one, the customs form is the buyer’s. Agree on the way back by email.";
    return problem("invalid_state", message);
  }
  const itemPrice = (id: number) => items.find(({ productId }) => productId === id)?.price ?? 0;
  const pricedLines = lines.map((line) => ({ ...line, priceCents: itemPrice(line.productId) }));
  const parcel = await parcelTo(
    ctx,
    { name, phone, address },
    { lines: pricedLines, carriers },
    settings,
    parcelId,
  );
  if (returnId === null || "problem" in parcel) return parcel;
  const recipient = { name: sender.name, phone: sender.phone, address: sender };
  return { ...parcel, sender: { name, phone, ...address }, recipient };
}

type PricedLine = ParcelOfOrder["lines"][number] & { /** Of one unit. */ priceCents: number };

/** The parcel of these lines, sent by the shop. */
export async function parcelTo(
  ctx: ShopContext,
  recipient: Recipient,
  { lines, carriers }: { lines: readonly PricedLine[]; carriers: readonly LabelCarrier[] },
  settings: LabelSettings,
  parcelId?: string,
): Promise<ParcelToSend | Problem> {
  const { sender } = settings;
  const parcel = settings.parcels.find(({ id }) => parcelId === undefined || id === parcelId);
  if (!parcel) {
    return problem("validation_failed", "There is no such parcel.", {
      fields: { parcelId: "Choose a parcel of the settings" },
    });
  }
  const isLive = carriers.some(({ mode }) => mode === "live");
  if (isLive && (isSampleSender(sender) || isSampleParcel(parcel))) {
    const what = isSampleSender(sender) ? "sender’s address" : "parcel’s size";
    return problem(
      "not_configured",
      `The ${what} is still the sample: the owner must first enter the shop’s own in Settings, Labels.`,
    );
  }
  const units = await unitsToSend(ctx, lines, settings);
  const contents = units.reduce((sum, { quantity, weightGrams }) => sum + quantity * weightGrams, 0);
  const facts = { parcel, weightGrams: Math.max(1, contents + parcel.weightGrams), today: await today(ctx) };
  // The sandbox carrier needs no form.
  const isAbroad =
    recipient.address.country !== sender.country && carriers.some(({ mode }) => mode !== "sandbox");
  const customs = isAbroad ? customsItems(units, sender.country) : null;
  if (customs && "problem" in customs) return customs;
  return { ...facts, sender, recipient, customs };
}

type UnitsToSend = Awaited<ReturnType<typeof unitsToSend>>;

async function unitsToSend({ db }: ShopContext, lines: readonly PricedLine[], { unitGrams }: LabelSettings) {
  const ids = lines.map(({ productId }) => productId);
  const rows = await db.select().from(products).where(inArray(products.id, ids));
  return lines.map((line) => {
    const product = rows.find(({ id }) => id === line.productId);
    const { weightGrams = null, hsCode = null, originCountry = null } = product ?? {};
    return { ...line, weightGrams: weightGrams ?? unitGrams, hsCode, originCountry };
  });
}

/** Exports from the United States above this value need an export filing, which the shop does not support. */
const filingCents = 250_000;

/** Lines of the customs form, or the data missing for it. */
function customsItems(units: UnitsToSend, senderCountry: string): CustomsItem[] | Problem {
  const incompleteUnits = units.filter(
    ({ hsCode, originCountry }) => hsCode === null || originCountry === null,
  );
  if (incompleteUnits.length > 0) {
    const names = incompleteUnits.map(({ name }) => name).join(", ");
    const message = `This parcel crosses a border: the owner or staff must first enter the HS code and the country of origin of ${names}, under Manage Products, Price and stock.`;
    return problem("invalid_state", message);
  }
  const lines = units.map(({ name, quantity, weightGrams, hsCode, originCountry, priceCents }) => ({
    description: name,
    quantity,
    weightGrams,
    hsCode: hsCode ?? "",
    originCountry: originCountry ?? "",
    valueCents: priceCents,
  }));
  const value = lines.reduce((sum, { quantity, valueCents }) => sum + quantity * valueCents, 0);
  if (senderCountry === "US" && value > filingCents) {
    const message =
      "Exports worth more than $2,500 need a filing first (AES). Buy this label at the carrier, and enter its number.";
    return problem("invalid_state", message);
  }
  return lines;
}

/** Rates of the services with these names ("USPS Priority"); all rates if none of these services is offered. */
function filterByName(rates: readonly Offer[], names: readonly string[]): Offer[] {
  const normalizedName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const plainNames = names.map(normalizedName);
  const namedRates = rates.filter(
    ({ carrier, service }) =>
      plainNames.includes(normalizedName(service)) || plainNames.includes(normalizedName(carrier + service)),
  );
  return namedRates.length > 0 ? namedRates : [...rates];
}

/**
 * Sorts services: first the cheapest that arrives by the promised day (if none does, the fastest; without a promise, the
 * cheapest), then the others by price. Contains only services that the owner chose for this speed, if any of these is offered.
 */
export function sortOffers(
  rates: readonly Offer[],
  { services }: LabelSettings,
  { isExpedited, promisedUntil }: { isExpedited: boolean; promisedUntil: string | null },
): Offer[] {
  const chosenOffers = filterByName(rates, services[isExpedited ? "expedited" : "standard"]);
  const byPrice = chosenOffers.toSorted(
    (a, b) => a.amountCents - b.amountCents || arrivalDay(a).localeCompare(arrivalDay(b)),
  );
  const cheapestOnTime = byPrice.find((rate) => promisedUntil === null || arrivalDay(rate) <= promisedUntil);
  const fastest = byPrice.toSorted((a, b) => arrivalDay(a).localeCompare(arrivalDay(b)))[0];
  const proposedOffer = cheapestOnTime ?? fastest;
  return proposedOffer ? [proposedOffer, ...byPrice.filter((rate) => rate !== proposedOffer)] : [];
}

/** A service without a delivery day counts as the slowest. */
const arrivalDay = ({ arrivesOn }: CarrierRate) => arrivesOn ?? "9999-12-31";

function createRateId(facts: unknown): string {
  return `rate_${createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 24)}`;
}

async function storeRates(
  { db }: ShopContext,
  { orderId, returnId }: Pick<RateRow, "orderId" | "returnId">,
  rows: RateRow[],
): Promise<void> {
  const ids = rows.map(({ rateId }) => rateId);
  await db.transaction(async (tx) => {
    // Without the lock, concurrent callers would delete each other's rates in different orders, and deadlock.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`label_rates:${orderId}`}, 0))`);
    await tx
      .delete(labelRates)
      .where(
        and(
          eq(labelRates.orderId, orderId),
          sql`${labelRates.returnId} is not distinct from ${returnId}`,
          notInArray(labelRates.rateId, ids),
        ),
      );
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

/** Older rates are not valid, because prices and delivery days change. */
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

export function labelRate(row: RateRow, canSeeAmounts: boolean): LabelRate {
  const { rateId, carrier, service, amountCents: amount, arrivesOn } = row;
  return { rateId, carrier, service, ...(canSeeAmounts && { amount }), arrivesOn };
}
