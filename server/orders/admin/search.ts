import { between, eq, inArray, like, or, type SQL, sql } from "drizzle-orm";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { escapeLike, patternsFor } from "../../platform/database/like.ts";
import { orders } from "../tables.ts";

const paymentsFoundMax = 200;

// Written as in the index `orders_search`.
const searchedText = sql`(lower(${orders.customerName}) || ' ' || lower(${orders.email}))`;

/**
 * Orders that fit what the owner typed. Payments and whole addresses are found first: as part of the condition they
 * would keep the indexes of the others from being used.
 */
export async function matches(tx: Db, q: string): Promise<SQL> {
  const { textPatterns, email, number, orderIds, paymentPattern } = readOrderSearch(q);
  // Whoever has typed a whole address means its orders, not those of a longer one, and they are found without the text.
  if (email !== null && (await hasOrders(tx, email))) return ofEmail(email);
  const paid =
    paymentPattern === null
      ? []
      : await tx
          .select({ orderId: payments.orderId })
          .from(payments)
          .where(like(payments.intentId, paymentPattern))
          .limit(paymentsFoundMax);
  const found = or(
    ...textPatterns.map((pattern) => like(searchedText, pattern)),
    number === null ? undefined : eq(orders.number, number),
    orderIds === null ? undefined : between(orders.id, ...orderIds),
    paid.length === 0
      ? undefined
      : inArray(
          orders.id,
          paid.map(({ orderId }) => orderId),
        ),
  );
  // "#ada" means nothing: it finds nothing rather than everything.
  return found ?? sql`false`;
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
  /** What was typed, in small letters, where it may be a whole e-mail address. */
  email: string | null;
  number: number | null;
  /** Ids from the first to the second begin with what was typed. */
  orderIds: [from: string, to: string] | null;
  /** For LIKE, against the payment's id at the provider. */
  paymentPattern: string | null;
};

const idPrefixLength = 4;
const numberMax = 2_147_483_647;

/** Reads what the owner typed: a name, an address, "#1042", the beginning of an order's or a payment's id. */
function readOrderSearch(typed: string): OrderSearch {
  // Ids are shown cut, and may be pasted so.
  const text = typed.trim().replace(/(…|\.\.\.)$/u, "");
  const number = /^#?\s*(\d{1,10})$/.exec(text)?.[1];
  return {
    textPatterns: text.startsWith("#") ? [] : patternsFor(text.replace(/\s+/g, " ")),
    email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text.toLowerCase() : null,
    number: number !== undefined && Number(number) <= numberMax ? Number(number) : null,
    orderIds: orderIdRange(text.toLowerCase()),
    paymentPattern: /^(pi|cs)_\w+$/.test(text) ? `${escapeLike(text)}%` : null,
  };
}

function orderIdRange(text: string): OrderSearch["orderIds"] {
  const form = "00000000-0000-0000-0000-000000000000";
  const fits = [...text].every((sign, at) => (form[at] === "-" ? sign === "-" : /[0-9a-f]/.test(sign)));
  if (text.length < idPrefixLength || text.length > form.length || !fits) return null;
  const rest = form.slice(text.length);
  return [text + rest, text + rest.replaceAll("0", "f")];
}
