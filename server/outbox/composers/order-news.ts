import * as v from "valibot";
import type { Order } from "../../../domain/orders/order.ts";
import type { OrderReturn } from "../../../domain/orders/order-return.ts";
import type { Email, OrderChange } from "../../../domain/outbox/email.ts";
import type { Message } from "../claim.ts";
import type { ComposeContext, Composed, Composer } from "../composer.ts";
import { deliveryDaysOf, orderOf, orderUrl } from "./orders.ts";

/** Facts that are strings in the outbox; "" for none. */
const cents = v.pipe(
  v.string(),
  v.transform((text) => (text === "" ? null : Number(text))),
);
const cancelledCents = { refundCents: v.pipe(cents, v.number()) };
const cancelledData = v.object({
  ...cancelledCents,
  by: v.optional(v.picklist(["buyer", "shop"]), "buyer"),
  reason: v.optional(v.string()),
});
const refundData = v.object({ refundId: v.string() });
const returnData = v.object({ returnId: v.string() });
const withdrawalData = v.object({ name: v.string(), declaredAt: v.string(), refundCents: cents });
const changeData = v.variant("change", [
  v.object({ change: v.literal("called_off"), ...cancelledCents }),
  v.object({ change: v.literal("return"), ...returnData.entries }),
  v.object({ change: v.literal("withdrawal"), ...withdrawalData.entries }),
]);

/** What happens to an order after it was paid. An order whose personal part was taken out is nobody's to write to. */
export const orderNewsComposers = {
  order_shipped: toBuyer(({ facts }, order) => ({
    kind: "order_shipped",
    deliveryDays: deliveryDaysOf(order, facts),
  })),
  parcel_corrected: toBuyer(() => ({ kind: "parcel_corrected" })),
  order_called_off: toBuyer((_, __, message) => {
    const { reason = null, ...facts } = v.parse(cancelledData, message.data);
    return { kind: "order_called_off", ...facts, reason };
  }),
  refund_sent: toBuyer((_, order, message) => {
    const { refundId } = v.parse(refundData, message.data);
    const refund = order.refunds.find(({ id }) => id === refundId);
    // The bank has sent it back before this could be sent: it would not be true any more.
    if (refund?.status !== "succeeded") return "expired";
    return { kind: "refund_sent", refundCents: refund.amount };
  }),
  return_requested: toBuyer(({ facts }, order, message) => ({
    kind: "return_requested",
    reason: returnOf(order, message).reason ?? "",
    returns: facts.returns,
  })),
  return_decided: toBuyer((_, order, message) => {
    const { status, answer } = returnOf(order, message);
    return { kind: "return_decided", isApproved: status === "approved", answer };
  }),
  return_answered: toBuyer((_, order, message) => {
    const { kind, answer } = returnOf(order, message);
    return { kind: "return_answered", about: kind, answer: answer ?? "" };
  }),
  withdrawal_received: toBuyer((_, __, message) => ({
    kind: "withdrawal_received",
    ...v.parse(withdrawalData, message.data),
  })),
  async owner_order_change({ db, owner, adminUrl }, message) {
    const order = await orderOf(db, message);
    if (order.erasedAt !== null) return "expired";
    return {
      ...owner,
      email: { kind: "owner_order_change", order, change: changeOf(order, message), adminUrl },
    };
  },
} satisfies Record<string, Composer>;

/** An e-mail's own facts; the order and the way to its page come with every one. */
type News = Email extends infer E
  ? E extends { order: Order; orderUrl: string }
    ? Omit<E, "order" | "orderUrl">
    : never
  : never;

function toBuyer(
  news: (context: ComposeContext, order: Order, message: Message) => News | "expired",
): Composer {
  return async (context, message): Promise<Composed | "expired"> => {
    const order = await orderOf(context.db, message);
    if (order.erasedAt !== null) return "expired";
    const facts = news(context, order, message);
    if (facts === "expired") return "expired";
    const email = { ...facts, order, orderUrl: orderUrl(context, order.id) } as Email;
    return { email, sender: context.toShopper, recipient: message.recipient ?? order.email, secret: null };
  };
}

function returnOf(order: Order, message: Message): OrderReturn {
  const { returnId } = v.parse(returnData, message.data);
  const found = order.returns.find(({ id }) => id === returnId);
  if (!found) throw new Error(`message ${message.id} is about a return that does not exist`);
  return found;
}

function changeOf(order: Order, message: Message): OrderChange {
  const data = v.parse(changeData, message.data);
  if (data.change === "called_off") return { kind: data.change, refundCents: data.refundCents };
  if (data.change === "return") return { kind: data.change, reason: returnOf(order, message).reason ?? "" };
  return { kind: data.change, name: data.name, refundCents: data.refundCents };
}
