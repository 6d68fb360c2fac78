import * as v from "valibot";
import type { Email, OrderChange } from "../../../domain/email.ts";
import type { Order } from "../../../domain/order.ts";
import type { OrderReturn } from "../../../domain/order-return.ts";
import type { Message } from "../claim.ts";
import type { ComposeContext, Composed, Composer } from "../composer.ts";
import { deliveryDaysOf, orderOf, orderUrl } from "./orders.ts";

/** Facts that are strings in the outbox; "" for none. */
const cents = v.pipe(
  v.string(),
  v.transform((text) => (text === "" ? null : Number(text))),
);
const calledOffData = v.object({ refundCents: v.pipe(cents, v.number()) });
const returnData = v.object({ returnId: v.string() });
const withdrawalData = v.object({ name: v.string(), declaredAt: v.string(), refundCents: cents });
const changeData = v.variant("change", [
  v.object({ change: v.literal("called_off"), ...calledOffData.entries }),
  v.object({ change: v.literal("return"), ...returnData.entries }),
  v.object({ change: v.literal("withdrawal"), ...withdrawalData.entries }),
]);

/** What happens to an order after it was paid. An order whose personal part was taken out is nobody's to write to. */
export const orderNewsComposers = {
  order_shipped: toBuyer(({ facts }, order) => ({
    kind: "order_shipped",
    deliveryDays: deliveryDaysOf(order, facts),
  })),
  order_called_off: toBuyer((_, __, message) => ({
    kind: "order_called_off",
    ...v.parse(calledOffData, message.data),
  })),
  return_requested: toBuyer(({ facts }, order, message) => ({
    kind: "return_requested",
    reason: returnOf(order, message).reason ?? "",
    returns: facts.returns,
  })),
  return_decided: toBuyer((_, order, message) => {
    const { status, answer } = returnOf(order, message);
    return { kind: "return_decided", isApproved: status === "approved", answer };
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

function toBuyer(news: (context: ComposeContext, order: Order, message: Message) => News): Composer {
  return async (context, message): Promise<Composed | "expired"> => {
    const order = await orderOf(context.db, message);
    if (order.erasedAt !== null) return "expired";
    const email = { ...news(context, order, message), order, orderUrl: orderUrl(context, order.id) } as Email;
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
