import { createHash, randomUUID } from "node:crypto";
import { and, asc, desc, eq, gt, inArray, lt } from "drizzle-orm";
import type { ShippingAddress } from "../../domain/orders/order.ts";
import {
  type LiveRates,
  liveOptionsFor,
  type ShippingOption,
} from "../../domain/shipping/shipping-policy.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { rateQuotes } from "./tables.ts";

type Line = { productId: number; quantity: number };
type Parcel = { visitorId: VisitorId; items: readonly Line[]; address: ShippingAddress };

/** A request for carriers' prices for these options. `name` and `priceCents` of one unit are for customs. */
export type LiveRatesRequest = {
  items: (Line & { name: string; priceCents: number })[];
  address: ShippingAddress;
  options: readonly ShippingOption[];
  signal: AbortSignal;
};

/** Timeout of carriers, shorter than the 1.5 s for which the checkout page waits, so that the response reaches it. */
const carrierMs = 1_200;
const minuteMs = 60_000;
/** Time for which orders are charged a quote's prices. */
const validMs = 30 * minuteMs;
/** Time for which a repeated request gets the same quote. The rest of `validMs` leaves enough time to order. */
const reuseMs = 20 * minuteMs;

/**
 * Carriers' prices for a cart and an address: a quote of the last 20 minutes, or else a new one. Null if the shop's own prices
 * apply, because this country has no live rates, no carrier responded in time, or a limit was reached.
 */
export async function quoteLiveRates(
  ctx: ShopContext,
  { network, ...parcel }: Parcel & { /** The caller's address. */ network: string },
): Promise<{ id: string; rates: LiveRates } | null> {
  const contents = await parcelContents(ctx, parcel);
  if (contents === null) return null;
  const { items, options, contentHash } = contents;
  const now = ctx.now().getTime();
  const matchesParcel = and(
    eq(rateQuotes.visitorId, parcel.visitorId),
    eq(rateQuotes.contentHash, contentHash),
  );
  const [earlierQuote] = await ctx.db
    .select()
    .from(rateQuotes)
    .where(and(matchesParcel, gt(rateQuotes.expiresAt, new Date(now + validMs - reuseMs))))
    .orderBy(desc(rateQuotes.expiresAt))
    .limit(1);
  if (earlierQuote) return earlierQuote;
  if (await isRateLimited(ctx, parcel.visitorId, network)) return null;
  const signal = AbortSignal.timeout(carrierMs);
  const rates = await ctx.liveRates({ items, options, address: parcel.address, signal });
  if (Object.keys(rates).length === 0) return null;
  const quote = { id: randomUUID(), rates };
  await ctx.db
    .insert(rateQuotes)
    .values({ ...quote, visitorId: parcel.visitorId, contentHash, expiresAt: new Date(now + validMs) });
  return quote;
}

/**
 * The prices of a quote for an order. Null if the quote has expired, is another visitor's, or was made for other goods, another
 * address or other settings.
 */
export async function findLiveRates(ctx: ShopContext, id: string, parcel: Parcel): Promise<LiveRates | null> {
  const contents = await parcelContents(ctx, parcel);
  if (contents === null) return null;
  const [quote] = await ctx.db
    .select({ rates: rateQuotes.rates })
    .from(rateQuotes)
    .where(
      and(
        eq(rateQuotes.id, id),
        eq(rateQuotes.visitorId, parcel.visitorId),
        eq(rateQuotes.contentHash, contents.contentHash),
        gt(rateQuotes.expiresAt, ctx.now()),
      ),
    );
  return quote?.rates ?? null;
}

/** The goods and options to quote, and a hash of everything that the price may depend on. Null if there is nothing to quote. */
async function parcelContents(ctx: ShopContext, { items, address }: Parcel) {
  const { shipping } = await ctx.settings();
  const options = liveOptionsFor(shipping, address.country);
  if (options.length === 0) return null;
  const quantities = new Map<number, number>();
  for (const { productId, quantity } of items)
    quantities.set(productId, (quantities.get(productId) ?? 0) + quantity);
  const { id, name, priceCents, weightGrams, hsCode, originCountry } = products;
  const [rows, { labels }] = await Promise.all([
    ctx.db
      .select({ id, name, priceCents, weightGrams, hsCode, originCountry })
      .from(products)
      .where(inArray(id, [...quantities.keys()]))
      .orderBy(asc(id)),
    ctx.ownerSettings(),
  ]);
  const lines = rows.map((row) => ({ ...row, productId: row.id, quantity: quantities.get(row.id) ?? 0 }));
  if (lines.length === 0) return null;
  const { line1, line2, city, state, postalCode, country } = address;
  const { mode } = ctx.provider;
  const contents = [lines, [line1, line2, city, state, postalCode, country], options, labels, mode];
  const contentHash = createHash("sha256").update(JSON.stringify(contents)).digest();
  return { items: lines, options, contentHash };
}

/** Counts a request against the limits of its visitor, its network and the whole shop. */
async function isRateLimited(
  { limits }: ShopContext,
  visitorId: VisitorId,
  network: string,
): Promise<boolean> {
  return (
    (await limits.take("ratesViewer", visitorId)) !== null ||
    (await limits.takeFrom("rates", network)) !== null ||
    (await limits.take("ratesOfShop", "shop")) !== null
  );
}

export async function purgeRateQuotes({ db, now }: ShopContext): Promise<void> {
  await deleteInBatches(db, rateQuotes, lt(rateQuotes.expiresAt, now()));
}
