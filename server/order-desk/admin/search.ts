import { and, between, eq, inArray, like, or, type SQL, sql } from "drizzle-orm";
import { phoneSearchTerms } from "../../../domain/shared/phone-search.ts";
import { products } from "../../catalog/tables.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { escapeLike, patternsFor } from "../../platform/database/search.ts";
import { shipments } from "../tables.ts";

const maxFoundOrders = 200;
const maxFoundProducts = 100;

// Written exactly as in the indexes `orders_search_text` and `orders_search_facts`, which leave out the few pending orders.
const isIndexed = sql`${orders.status} <> 'pending'`;
const isPending = sql`${orders.status} = 'pending'`;
const searchedText = sql`(lower(${orders.customerName}) || ' ' || lower(${orders.email}))`;
const searchedDetails = sql`(lower(coalesce(${orders.shipping} ->> 'city', '')) || ' ' || lower(coalesce(${orders.discountCode}, '')) || ' ' || lower(regexp_replace(coalesce(${orders.trackingNumber}, ''), '[^A-Za-z0-9]', '', 'g')) || ' ' || regexp_replace(replace(coalesce(${orders.phone}, ''), '(0)', ''), '[^0-9]', '', 'g'))`;

/** The parts of these texts that packers can see: without e-mail address and discount code. */
const packerText = sql`lower(${orders.customerName})`;
const packerDetails = sql`(lower(coalesce(${orders.shipping} ->> 'city', '')) || ' ' || lower(regexp_replace(coalesce(${orders.trackingNumber}, ''), '[^A-Za-z0-9]', '', 'g')) || ' ' || regexp_replace(replace(coalesce(${orders.phone}, ''), '(0)', ''), '[^0-9]', '', 'g'))`;

/** Role of the searcher: packers find orders only by fields that they can see. */
export type Searcher = "packer" | "others";

/**
 * A condition for each possible meaning of the search text. An order that meets any of them is a result. They are separate,
 * because PostgreSQL could not use the indexes for one combined condition.
 */
export async function searchConditions(tx: Db, q: string, by: Searcher): Promise<SQL[]> {
  const { textPatterns, detailPatterns, email, number, orderIds, paymentPattern, trackingNumber } =
    readOrderSearch(q);
  // A complete e-mail address matches only its own orders, not those of a longer address, and needs no text search.
  const isPacker = by === "packer";
  if (!isPacker && email !== null && (await hasOrders(tx, email))) return [hasEmail(email)];
  const paidOrderIds = isPacker ? [] : await findOrdersByPayment(tx, paymentPattern);
  const productIds = await findProducts(tx, q);
  const shippedOrderIds = await findOrdersByTracking(tx, trackingNumber);
  const anyLike = (text: SQL, visibleText: SQL, patterns: string[]) =>
    or(
      ...patterns.map((pattern) =>
        and(like(text, pattern), isPacker ? like(visibleText, pattern) : undefined),
      ),
    );
  const hasText = anyLike(searchedText, packerText, textPatterns);
  const hasDetails = anyLike(searchedDetails, packerDetails, detailPatterns);
  const hasEither = or(hasText, hasDetails);
  const meanings = [
    hasText && and(isIndexed, hasText),
    hasDetails && and(isIndexed, hasDetails),
    hasEither && and(isPending, hasEither),
    number === null ? undefined : eq(orders.number, number),
    orderIds === null ? undefined : between(orders.id, ...orderIds),
    paidOrderIds.length === 0 ? undefined : inArray(orders.id, paidOrderIds),
    shippedOrderIds.length === 0 ? undefined : inArray(orders.id, shippedOrderIds),
    productIds.length === 0 ? undefined : hasProducts(productIds),
  ].filter((meaning) => meaning !== undefined);
  // A text without any meaning, such as "#ada", must find nothing instead of everything.
  return meanings.length > 0 ? meanings : [sql`false`];
}

/** Orders that contain any of these products. */
export function hasProducts(ids: number[]): SQL {
  return sql`exists (select 1 from ${orderLines} where ${orderLines.orderId} = ${orders.id} and ${inArray(orderLines.productId, ids)})`;
}

async function findOrdersByPayment(tx: Db, pattern: string | null): Promise<string[]> {
  if (pattern === null) return [];
  const rows = await tx
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(like(payments.intentId, pattern))
    .limit(maxFoundOrders);
  return rows.map(({ orderId }) => orderId);
}

/** Orders with a parcel that has this tracking number. The order itself stores only the last parcel's number. */
async function findOrdersByTracking(tx: Db, trackingNumber: string | null): Promise<string[]> {
  if (trackingNumber === null) return [];
  const rows = await tx
    .select({ orderId: shipments.orderId })
    .from(shipments)
    .where(eq(sql`upper(translate(${shipments.trackingNumber}, ' -', ''))`, trackingNumber))
    .limit(maxFoundOrders);
  return rows.map(({ orderId }) => orderId);
}

/** Products by current name or SKU; they are few, so no index is needed. */
async function findProducts(tx: Db, q: string): Promise<number[]> {
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
    .limit(maxFoundProducts);
  return rows.map(({ id }) => id);
}

async function hasOrders(tx: Db, email: string): Promise<boolean> {
  const rows = await tx.select({ one: sql`1` }).from(orders).where(hasEmail(email)).limit(1);
  return rows.length > 0;
}

function hasEmail(email: string): SQL {
  return eq(sql`lower(${orders.email})`, email);
}

/** Possible meanings of a search text; an order that meets any of them is a result. */
type OrderSearch = {
  /** LIKE patterns for "name e-mail" in lower case; empty if the text can be neither. */
  textPatterns: string[];
  /** LIKE patterns for "city code tracking phone"; tracking and phone number consist of letters and digits only. */
  detailPatterns: string[];
  /** The text in lower case, if it may be an e-mail address. */
  email: string | null;
  number: number | null;
  /** First and last id that begin with the text. */
  orderIds: [from: string, to: string] | null;
  /** LIKE pattern for the payment's id at the provider. */
  paymentPattern: string | null;
  /** In upper case, without spaces and dashes. */
  trackingNumber: string | null;
};

const idPrefixLength = 4;
/** Largest integer of PostgreSQL, the type of order numbers. */
const maxNumber = 2_147_483_647;

/**
 * Reads a search text: a name, address, city, phone or tracking number, code, "#1042", or the start of an order's or payment's
 * id.
 */
function readOrderSearch(input: string): OrderSearch {
  // Ids are shown shortened and may be pasted in that form.
  const text = input.trim().replace(/(…|\.\.\.)$/u, "");
  const number = /^#?\s*(\d{1,10})$/.exec(text)?.[1];
  const isText = text !== "" && !text.startsWith("#");
  return {
    textPatterns: isText ? patternsFor(text.replace(/\s+/g, " ")) : [],
    detailPatterns: isText ? detailPatterns(text) : [],
    email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text.toLowerCase() : null,
    number: number !== undefined && Number(number) <= maxNumber ? Number(number) : null,
    orderIds: orderIdRange(text.toLowerCase()),
    trackingNumber: parseTracking(text)?.toUpperCase() ?? null,
    paymentPattern: /^(pi|cs)_\w+$/.test(text) ? `${escapeLike(text)}%` : null,
  };
}

const minTrackingLength = 6;

function detailPatterns(text: string): string[] {
  const tracking = parseTracking(text);
  return [
    // A plain number is an order's, unless it is long enough for a tracking or phone number.
    ...(/^\d+$/.test(text) ? [] : patternsFor(text.replace(/\s+/g, " "))),
    ...(tracking === null ? [] : [`%${tracking}%`]),
    ...phoneSearchTerms(text).map((digits) => `%${digits}%`),
  ];
}

/** The text in lower case if it may be part of a tracking number, otherwise null. */
function parseTracking(text: string): string | null {
  const tracking = text.toLowerCase().replace(/[\s-]/g, "");
  const isTracking = /^[a-z0-9]*\d[a-z0-9]*$/.test(tracking) && tracking.length >= minTrackingLength;
  return isTracking ? removeRoutingPrefix(tracking) : null;
}

/** Removes the prefix of USPS bar codes: "420" and the recipient's ZIP code. */
function removeRoutingPrefix(tracking: string): string {
  return /^420(?:\d{5}|\d{9})(9\d{21})$/.exec(tracking)?.[1] ?? tracking;
}

function orderIdRange(text: string): OrderSearch["orderIds"] {
  const zeroId = "00000000-0000-0000-0000-000000000000";
  const isIdPrefix = [...text].every((character, index) =>
    zeroId[index] === "-" ? character === "-" : /[0-9a-f]/.test(character),
  );
  if (text.length < idPrefixLength || text.length > zeroId.length || !isIdPrefix) return null;
  const rest = zeroId.slice(text.length);
  return [text + rest, text + rest.replaceAll("0", "f")];
}
