import type { OrderActionParts } from "./actions.ts";
import { findOrder } from "./queries.ts";

/** Has an order's confirmation sent to its buyer once more, as often as the owner asks. Null: there is no such order. */
export async function resendConfirmation(
  { db, news }: Pick<OrderActionParts, "db" | "news">,
  orderId: string,
): Promise<{ ok: true; number: number } | { ok: false; reason: string } | null> {
  const order = await findOrder(db, orderId);
  if (!order) return null;
  if (order.erasedAt !== null) {
    return {
      ok: false,
      reason: "The buyer’s address was deleted at their request: there is nobody to write to.",
    };
  }
  if (!order.events.some(({ to }) => to === "completed")) {
    return { ok: false, reason: "This order has not been paid, so there is nothing to confirm." };
  }
  await news.confirmationAskedFor(db, { orderId });
  return { ok: true, number: order.number };
}
