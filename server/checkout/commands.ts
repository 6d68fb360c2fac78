import { and, desc, eq, isNull } from "drizzle-orm";
import { shownTotals } from "../../domain/checkout/included-tax.ts";
import type { ShopContext } from "../context.ts";
import { findReplaceableHolder } from "../discounts/uses.ts";
import { allowVisitor, orderWriter, type PlacedOrder } from "../orders/commands.ts";
import type { OrderRow } from "../orders/lifecycle.ts";
import { findOrdersByKey, findPendingRepeat } from "../orders/queries.ts";
import { abandonIfUnknown } from "../payments/cancellation/abandon.ts";
import { cancelSuperseded, cancelWithoutPayment } from "../payments/cancellation/close.ts";
import { firstOpening, type Opening, openingValues } from "../payments/opening/opening.ts";
import { declineCooldownSeconds } from "../payments/settling/declines.ts";
import { payments } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { type CheckoutInput, type CheckoutResult, hashRequest, ownKey, sharedKey } from "./input.ts";
import { buildOrder } from "./new-order.ts";
import { openPayment } from "./payment.ts";
import { discountRefusal, outOfStockRefusal } from "./refusals.ts";

/**
 * Turns a cart into a pending order with reserved units, and opens its payment at the provider. The shop's prices are charged; a
 * request with other prices is refused. A repeated request returns the same order.
 */
export async function startCheckout(ctx: ShopContext, input: CheckoutInput): Promise<CheckoutResult> {
  const { visitorId, buyerNetwork: network } = input;
  const waitSeconds = await declineCooldownSeconds(ctx, { visitorId, network });
  if (waitSeconds !== null) return { ok: false, reason: "too_many_declines", waitSeconds };
  const repeated = await findRepeatedOrder(ctx, input);
  const resumed = repeated && (await resume(ctx, input, repeated));
  if (resumed) return resumed;
  const built = await buildOrder(ctx, input);
  if (!built.ok) return built;
  let { newOrder } = built;
  const hosted = input.kind === "session";
  const { amounts, currency } = newOrder;
  const payment = openingValues(
    { totalCents: amounts.totalCents, currency },
    { provider: ctx.provider, hosted, revision: 1 },
  );
  const takenDiscountIds: number[] = [];
  for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
    let created = await orders.create(ctx.db, newOrder, payment);
    if (!created.ok && created.reason !== "duplicate") {
      // The shopper's own earlier unpaid order may hold the units or the discount's use.
      const personalCode = newOrder.discount?.personalCode ?? null;
      const { checked } = await cancelSuperseded(ctx, {
        ...newOrder,
        email: newOrder.entries.email,
        orderId: null,
        codeHolder:
          created.reason === "used_up" && personalCode !== null
            ? await findReplaceableHolder(ctx.db, personalCode, visitorId)
            : null,
      });
      if (checked > 0) created = await orders.create(ctx.db, newOrder, payment);
    }
    if (created.ok) {
      const first = { orderId: created.order.id, revision: 1, hosted, openingAttempts: 1 };
      return open(ctx, input, created.order, first);
    }
    if (created.reason === "out_of_stock") return outOfStockRefusal(ctx, input, newOrder.lines);
    if (created.reason !== "duplicate") {
      const { discount } = newOrder;
      if (!discount?.automatic) return discountRefusal(created.reason);
      // Prices the order again without this discount; the total changes unless another discount saves as much.
      takenDiscountIds.push(discount.id);
      const rebuilt = await buildOrder(ctx, input, takenDiscountIds);
      if (!rebuilt.ok) return rebuilt;
      newOrder = rebuilt.newOrder;
      continue;
    }
    // A concurrent call has inserted the order: returns that order unless it has already ended.
    const concurrent = await findRepeatedOrder(ctx, input);
    const joined = concurrent && (await resume(ctx, input, concurrent));
    if (joined) return joined;
  }
  // Each concurrent order ended immediately, which only happens if its payment cannot be opened.
  return { ok: false, reason: "provider_unavailable" };
}

const orders = orderWriter(firstOpening);

/** Maximum number of attempts if the orders of concurrent identical calls keep ending before this call can use them. */
const maxAttempts = 10;

/** Finds the order of an earlier identical request, by Idempotency-Key or, without one, by the request's hash. */
async function findRepeatedOrder(
  { db }: Pick<ShopContext, "db">,
  input: CheckoutInput,
): Promise<OrderRow | null> {
  const key = ownKey(input);
  // Without a cookie the visitor is new and has no earlier request.
  if (key === null && !input.isKnownVisitor) return null;
  if (key === null) return findPendingRepeat(db, input.visitorId, hashRequest(input));
  const candidates = await findOrdersByKey(db, [key, sharedKey(input)], input.visitorId);
  // Ignores other visitors' orders with the same key, unless the caller may have lost the cookie of the first response.
  const match = candidates.find(({ isOwn }) => isOwn || !input.isKnownVisitor);
  return match?.order ?? null;
}

/**
 * Resumes an existing order. Null if it was created with keys of another account or mode: it cannot be paid and was cancelled, and
 * the request must create a new order.
 */
async function resume(
  ctx: ShopContext,
  input: CheckoutInput,
  order: PlacedOrder,
): Promise<CheckoutResult | null> {
  if (!order.requestHash.equals(hashRequest(input))) return { ok: false, reason: "key_reused" };
  if (order.status === "cancelled") return { ok: false, reason: "order_closed" };
  // The repeated request lacks the cookie of the first response; its new visitor needs access to the order, too.
  if (order.visitorId !== input.visitorId)
    await allowVisitor(ctx.db, { orderId: order.id, visitorId: input.visitorId, now: ctx.now() });
  const payment = await latestPayment(ctx.db, order.id);
  if (!payment && order.mode !== null && order.mode !== ctx.provider.mode) {
    const note = `Abandoned: it was begun in the payment provider’s ${order.mode} mode`;
    await cancelWithoutPayment(ctx, order.id, { actor: "system", note });
    return null;
  }
  if (!payment) return open(ctx, input, order, null);
  const resumed = await abandonIfUnknown(ctx, payment, null, () => open(ctx, input, order, null));
  if ("result" in resumed) return resumed.result;
  return resumed.abandoned === "cancel" ? null : { ok: false, reason: "order_closed" };
}

async function latestPayment(db: Db, orderId: string) {
  const [latest] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), isNull(payments.orderEditId)))
    .orderBy(desc(payments.revision))
    .limit(1);
  return latest;
}

async function open(
  ctx: ShopContext,
  input: CheckoutInput,
  order: PlacedOrder,
  first: Opening | null,
): Promise<CheckoutResult> {
  const result = await openPayment(ctx, order, input.kind, first);
  if (!result.ok) return { ok: false, reason: result.reason };
  return { ok: true, order, totals: shownTotals(order), payment: result.payment };
}
