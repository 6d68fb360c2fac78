import * as v from "valibot";
import type { Order } from "../../domain/orders/order.ts";
import { noActions, orderActions } from "../../domain/orders/order-actions.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import type { ShopContext } from "../context.ts";
import type { Shop } from "../pages/shop.ts";
import { openIssuesText } from "../payments/issues.ts";
import { ProviderRefused, ProviderUnavailable } from "../payments/provider.ts";
import { refreshPayment } from "../payments/settling/refresh.ts";
import { readAccount } from "./account.ts";
import { isOrderLinkTokenValid } from "./link-token.ts";
import { findOrder, findOrderByPayment, findOrderOfVisitor, listOrdersOf } from "./queries.ts";

type ViewerOrders = Pick<
  Shop,
  "ordersOf" | "orderFor" | "orderOfBuyer" | "paidOrder" | "account" | "sandboxCheckout"
>;

/** The orders that a viewer may see (docs/decisions/0007-visitors-and-order-access.md). */
export function viewerOrders(ctx: ShopContext): ViewerOrders {
  const { db, now, sandbox, settings, thumbnail } = ctx;
  const withThumbnails = <T extends { items: { image: string | null }[] }>(order: T): T => ({
    ...order,
    items: order.items.map((item) => ({
      ...item,
      image: item.image === null ? null : thumbnail(item.image),
    })),
  });
  const orderOfBuyer: ViewerOrders["orderOfBuyer"] = async ({ visitorId }, orderId, linkToken) => {
    if (!v.is(uuidSchema, orderId)) return null;
    const isBearer = linkToken !== null && isOrderLinkTokenValid(ctx.secret, orderId, linkToken, now());
    const order = isBearer
      ? await findOrder(db, orderId)
      : visitorId === null
        ? null
        : await findOrderOfVisitor(db, visitorId, orderId);
    // To whoever still has a link to it, an order without its buyer's data is gone.
    if (!order || order.erasedAt !== null) return null;
    return { ...withThumbnails(order), actions: orderActions(order, await settings(), now()) };
  };
  return {
    orderOfBuyer,
    ordersOf: async ({ visitorId }) =>
      visitorId === null ? [] : (await listOrdersOf(db, visitorId)).map(withThumbnails),
    async orderFor(viewer, orderId, linkToken) {
      const own = await orderOfBuyer(viewer, orderId, linkToken);
      if (!viewer.isAdmin || !v.is(uuidSchema, orderId)) return own;
      const order = own ?? (await findOrder(db, orderId));
      if (!order) return null;
      const needsAttention = await openIssuesText(db, orderId);
      return own
        ? { ...own, needsAttention }
        : { ...withThumbnails(order), actions: noActions, needsAttention };
    },
    async paidOrder({ visitorId }, sessionId) {
      const payment = visitorId === null ? null : await findOrderByPayment(db, visitorId, sessionId);
      if (!payment) return null;
      const before = await findOrder(db, payment.orderId);
      if (!before) return null;
      if (wasCompleted(before)) return { order: withThumbnails(before), payment: "paid" };
      const status = await refreshPayment(ctx, payment).catch((error: unknown) => {
        // The provider is away: what the shop knows stands, and the page goes on asking.
        if (error instanceof ProviderUnavailable) return "processing" as const;
        // It does not know the payment: the shop has changed its provider since.
        if (error instanceof ProviderRefused) return "requires_payment" as const;
        throw error;
      });
      const order = (await findOrder(db, payment.orderId)) ?? before;
      return {
        order: withThumbnails(order),
        payment: wasCompleted(order)
          ? "paid"
          : status === "processing" || status === "succeeded"
            ? "processing"
            : "unpaid",
      };
    },
    async account({ visitorId }) {
      const account = visitorId === null ? null : await readAccount(db, visitorId);
      return account && { ...account, latest: account.latest.map(withThumbnails) };
    },
    async sandboxCheckout({ visitorId }, sessionId) {
      if (!sandbox || visitorId === null) return null;
      return (await findOrderByPayment(db, visitorId, sessionId)) ? sandbox.session(sessionId) : null;
    },
  };
}

/** A payment that could only be given back again has a time, too, but never completed its order. */
function wasCompleted(order: Order): boolean {
  return order.events.some(({ to }) => to === "completed");
}
