import { and, between, eq, inArray, like, or, type SQL, sql } from "drizzle-orm";
import { phoneNeedles } from "../../../domain/shared/phone-search.ts";
import { products } from "../../catalog/tables.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { escapeLike, patternsFor } from "../../platform/database/like.ts";
import { shipments } from "../tables.ts";

const paymentsFoundMax = 200;
const productsFoundMax = 100;

// Written as in the indexes `orders_search` and `orders_search_details`.
const searchedText = sql`(lower(${orders.customerName}) || ' ' || lower(${orders.email}))`;
const searchedDetails = sql`(lower(coalesce(${orders.shipping} ->> 'city', '')) || ' ' || lower(coalesce(${orders.discountCode}, '')) || ' ' || lower(regexp_replace(coalesce(${orders.trackingNumber}, ''), '[^A-Za-z0-9]', '', 'g')) || ' ' || regexp_replace(replace(coalesce(${orders.phone}, ''), '(0)', ''), '[^0-9]', '', 'g'))`;

/** What of the same whoever packs sees: no e-mail address, and no code. */
const packedText = sql`lower(${orders.customerName})`;
const packedDetails = sql`(lower(coalesce(${orders.shipping} ->> 'city', '')) || ' ' || lower(regexp_replace(coalesce(${orders.trackingNumber}, ''), '[^A-Za-z0-9]', '', 'g')) || ' ' || regexp_replace(replace(coalesce(${orders.phone}, ''), '(0)', ''), '[^0-9]', '', 'g'))`;

/** Who searches: a packer finds an order by nothing that a packer does not see of it. */
export type Searcher = "packer" | "others";

/**
 * What somebody typed may mean: each condition finds orders by an index of its own, and an order that fits any of them is
 * found. Put into one condition they would keep each other's indexes from being used.
 */
export async function meaningsOf(tx: Db, q: string, by: Searcher): Promise<SQL[]> {
  const { textPatterns, detailPatterns, email, number, orderIds, paymentPattern, trackingNumber } =
    readOrderSearch(q);
  // Whoever has typed a whole address means its orders, not those of a longer one, and they are found without the text.
  const isPacker = by === "packer";
  if (!isPacker && email !== null && (await hasOrders(tx, email))) return [ofEmail(email)];
  const paid = isPacker ? [] : await paidWith(tx, paymentPattern);
  const sold = await productsNamed(tx, q);
  const shipped = await shippedAs(tx, trackingNumber);
  const anyLike = (text: SQL, packed: SQL, patterns: string[]) =>
    or(...patterns.map((each) => and(like(text, each), isPacker ? like(packed, each) : undefined)));
  const found = [
    anyLike(searchedText, packedText, textPatterns),
    anyLike(searchedDetails, packedDetails, detailPatterns),
    number === null ? undefined : eq(orders.number, number),
    orderIds === null ? undefined : between(orders.id, ...orderIds),
    paid.length === 0 ? undefined : inArray(orders.id, paid),
    shipped.length === 0 ? undefined : inArray(orders.id, shipped),
    sold.length === 0 ? undefined : hasProducts(sold),
  ].filter((meaning) => meaning !== undefined);
  // "#ada" means nothing: it finds nothing rather than everything.
  return found.length > 0 ? found : [sql`false`];
}

/** Orders with any of these products in them. */
export function hasProducts(ids: number[]): SQL {
  return sql`exists (select 1 from ${orderLines} where ${orderLines.orderId} = ${orders.id} and ${inArray(orderLines.productId, ids)})`;
}

async function paidWith(tx: Db, pattern: string | null): Promise<string[]> {
  if (pattern === null) return [];
  const rows = await tx
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(like(payments.intentId, pattern))
    .limit(paymentsFoundMax);
  return rows.map(({ orderId }) => orderId);
}

/** Orders of which one parcel of several has this number; that of the last is found with the order's details. */
async function shippedAs(tx: Db, trackingNumber: string | null): Promise<string[]> {
  if (trackingNumber === null) return [];
  const rows = await tx
    .select({ orderId: shipments.orderId })
    .from(shipments)
    .where(eq(sql`upper(translate(${shipments.trackingNumber}, ' -', ''))`, trackingNumber))
    .limit(paymentsFoundMax);
  return rows.map(({ orderId }) => orderId);
}

/** Products that are called so now, or have this number; there are few, so no index is needed. */
async function productsNamed(tx: Db, q: string): Promise<number[]> {
  const text = q.trim().replace(/\s+/g, " ").toLowerCase();
  if (text.length < 3 || text.startsWith("#")) return [];
  const rows = await tx
    .select({ id: products.id })
    .from(products)
    .where(
      or(
        like(sql`lower(${products.name})`, `%${escapeLike(text)}%`),
        eq(products.gtin, text),
        eq(sql`lower(${products.sku})`, text),
        eq(sql`lower(${products.mpn})`, text),
      ),
    )
    .limit(productsFoundMax);
  return rows.map(({ id }) => id);
}

async function hasOrders(tx: Db, email: string): Promise<boolean> {
  const rows = await tx.select({ one: sql`1` }).from(orders).where(ofEmail(email)).limit(1);
  return rows.length > 0;
}

function ofEmail(email: string): SQL {
  return eq(sql`lower(${orders.email})`, email);
}

/** What a search for orders may mean, all at once; any of them finds the order. */
type OrderSearch = {
  /** For LIKE, against "name address" in small letters; none: not a text to look for. */
  textPatterns: string[];
  /** For LIKE, against "city code tracking phone", the last two without what is no letter or digit. */
  detailPatterns: string[];
  /** What was typed, in small letters, where it may be a whole e-mail address. */
  email: string | null;
  number: number | null;
  /** Ids from the first to the second begin with what was typed. */
  orderIds: [from: string, to: string] | null;
  /** For LIKE, against the payment's id at the provider. */
  paymentPattern: string | null;
  /** Whole, in capitals, without spaces and dashes. */
  trackingNumber: string | null;
};

const idPrefixLength = 4;
const numberMax = 2_147_483_647;

/**
 * Reads what the owner typed: a name, an address, a city, a phone or tracking number, a code, "#1042", the beginning of an
 * order's or a payment's id.
 */
function readOrderSearch(typed: string): OrderSearch {
  // Ids are shown cut, and may be pasted so.
  const text = typed.trim().replace(/(…|\.\.\.)$/u, "");
  const number = /^#?\s*(\d{1,10})$/.exec(text)?.[1];
  const isText = text !== "" && !text.startsWith("#");
  return {
    textPatterns: isText ? patternsFor(text.replace(/\s+/g, " ")) : [],
    detailPatterns: isText ? detailPatterns(text) : [],
    email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text.toLowerCase() : null,
    number: number !== undefined && Number(number) <= numberMax ? Number(number) : null,
    orderIds: orderIdRange(text.toLowerCase()),
    trackingNumber: trackingOf(text)?.toUpperCase() ?? null,
    paymentPattern: /^(pi|cs)_\w+$/.test(text) ? `${escapeLike(text)}%` : null,
  };
}

const trackingLengthMin = 6;

function detailPatterns(text: string): string[] {
  const tracking = trackingOf(text);
  return [
    // A number of few digits is an order's.
    ...(/^\d+$/.test(text) ? [] : patternsFor(text.replace(/\s+/g, " "))),
    ...(tracking === null ? [] : [`%${tracking}%`]),
    ...phoneNeedles(text).map((digits) => `%${digits}%`),
  ];
}

/** What may be a tracking number or a part of one, in small letters; null: it is none. */
function trackingOf(text: string): string | null {
  const tracking = text.toLowerCase().replace(/[\s-]/g, "");
  const isTracking = /^[a-z0-9]*\d[a-z0-9]*$/.test(tracking) && tracking.length >= trackingLengthMin;
  return isTracking ? withoutRouting(tracking) : null;
}

/** The bar code of a USPS label has "420" and the recipient's ZIP code before the number. */
function withoutRouting(tracking: string): string {
  return /^420(?:\d{5}|\d{9})(9\d{21})$/.exec(tracking)?.[1] ?? tracking;
}

function orderIdRange(text: string): OrderSearch["orderIds"] {
  const form = "00000000-0000-0000-0000-000000000000";
  const fits = [...text].every((sign, at) => (form[at] === "-" ? sign === "-" : /[0-9a-f]/.test(sign)));
  if (text.length < idPrefixLength || text.length > form.length || !fits) return null;
  const rest = form.slice(text.length);
  return [text + rest, text + rest.replaceAll("0", "f")];
}
