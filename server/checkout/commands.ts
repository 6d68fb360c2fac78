import { desc, eq } from "drizzle-orm";
import { allowVisitor, createOrder, type PlacedOrder } from "../orders/commands.ts";
import { orAbandon } from "../payments/cancellation/abandon.ts";
import { cancelWithoutPayment, giveUpOthers } from "../payments/cancellation/close.ts";
import { firstOpening, type Opening, type OrderToPay } from "../payments/opening/opening.ts";
import { secondsOfRest } from "../payments/settling/declines.ts";
import { payments } from "../payments/tables.ts";
import type { Db } from "../platform/database.ts";
import { draftOrder } from "./draft.ts";
import type { CheckoutInput, CheckoutResult } from "./input.ts";
import type { CheckoutParts } from "./parts.ts";
import { openPayment } from "./payment.ts";
import { discountRefused, outOfStock } from "./refusals.ts";
import { findRepeat, hashRequest } from "./repeat.ts";

/**
 * Turns a cart into a pending order with its units reserved, and opens its payment at the provider. The server's own
 * prices decide; the caller's are only compared. A repeated request comes to the same order.
 */
export async function startCheckout(parts: CheckoutParts, input: CheckoutInput): Promise<CheckoutResult> {
  const { visitorId, buyerNetwork: network } = input;
  const waitSeconds = await secondsOfRest(parts, { visitorId, network });
  if (waitSeconds !== null) return { ok: false, reason: "too_many_declines", waitSeconds };
  const repeated = await findRepeat(parts, input);
  const resumed = repeated && (await resume(parts, input, repeated));
  if (resumed) return resumed;
  const drafted = await draftOrder(parts, input);
  if (!drafted.ok) return drafted;
  const { draft } = drafted;
  const hosted = input.kind === "session";
  const payment = (order: OrderToPay) => firstOpening(parts.db, order, { provider: parts.provider, hosted });
  for (let tries = 1; tries <= writtenTriesMax; tries += 1) {
    let created = await createOrder(parts.db, draft, payment);
    if (!created.ok && created.reason !== "duplicate") {
      // The units or the use may be held by the very same shopper, in an order given up for this one.
      const { looked } = await giveUpOthers(parts, { ...draft, orderId: null });
      if (looked > 0) created = await createOrder(parts.db, draft, payment);
    }
    if (created.ok) {
      const first = { orderId: created.order.id, revision: 1, hosted, openingTries: 1 };
      return open(parts, input, created.order, first);
    }
    if (created.reason === "out_of_stock") return outOfStock(parts, input, draft.lines);
    if (created.reason !== "duplicate") return discountRefused(created.reason);
    // A call that came at the same time was faster; the order it wrote is the answer, unless that has ended already.
    const winner = await findRepeat(parts, input);
    const joined = winner && (await resume(parts, input, winner));
    if (joined) return joined;
  }
  return { ok: false, reason: "order_closed" };
}

/** Twins that end before they can be joined: another one each time would be no accident. */
const writtenTriesMax = 3;

/**
 * Goes on with an order that is there. Null: it was begun with keys of another account or mode, with which nobody can pay
 * any more, and has been ended; the same request makes a new one.
 */
async function resume(
  parts: CheckoutParts,
  input: CheckoutInput,
  order: PlacedOrder,
): Promise<CheckoutResult | null> {
  if (!order.requestHash.equals(hashRequest(input))) return { ok: false, reason: "key_reused" };
  if (order.status === "cancelled") return { ok: false, reason: "order_closed" };
  // Repeated without the cookie that came with the first answer: this browser must see its order, too.
  if (order.visitorId !== input.visitorId)
    await allowVisitor(parts.db, { orderId: order.id, visitorId: input.visitorId, now: parts.now() });
  const begun = await latestPayment(parts.db, order.id);
  if (!begun && order.mode !== null && order.mode !== parts.provider.mode) {
    const note = `Abandoned: it was begun in the payment provider’s ${order.mode} mode`;
    await cancelWithoutPayment(parts, order.id, { actor: "system", note });
    return null;
  }
  if (!begun) return open(parts, input, order, null);
  const asked = await orAbandon(parts, begun, null, () => open(parts, input, order, null));
  if ("answer" in asked) return asked.answer;
  return asked.abandoned === "cancel" ? null : { ok: false, reason: "order_closed" };
}

async function latestPayment(db: Db, orderId: string) {
  const [latest] = await db
    .select()
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(desc(payments.revision))
    .limit(1);
  return latest;
}

async function open(
  parts: CheckoutParts,
  input: CheckoutInput,
  order: PlacedOrder,
  first: Opening | null,
): Promise<CheckoutResult> {
  const opened = await openPayment(parts, order, input.kind, first);
  if (!opened.ok) return { ok: false, reason: opened.reason };
  const totals = {
    subtotal: order.subtotalCents,
    discount: order.discountCents,
    shipping: order.shippingCents,
    tax: order.taxCents,
    total: order.totalCents,
    currency: order.currency,
  };
  return { ok: true, order, totals, payment: opened.payment };
}
