import { and, desc, eq, isNull } from "drizzle-orm";
import * as v from "valibot";
import {
  type Account,
  type Order,
  type OrderSummary,
  type PaymentState,
  wasSold,
} from "../../domain/orders/order.ts";
import { noActions, orderActions, type ShownOrder } from "../../domain/orders/order-actions.ts";
import { isAllowed } from "../../domain/people/roles.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { thumbnailUrl } from "../catalog/pictures/sizes.ts";
import type { ShopContext } from "../context.ts";
import { openIssuesText } from "../issues/issues.ts";
import { isOrderLinkTokenValid, linkedOrder } from "../orders/link-tokens.ts";
import { findOrder, findOrderByPayment, findVisitorOrder, listVisitorOrders } from "../orders/queries.ts";
import { orders, orderVisitors } from "../orders/tables.ts";
import { ProviderRefused, ProviderUnavailable } from "../payment-providers/provider.ts";
import type { SandboxCheckout } from "../payment-providers/sandbox/provider.ts";
import { refreshPayment } from "../payments/settling/refresh.ts";
import type { Viewer } from "../platform/http/viewer.ts";

/** The viewer's own orders, newest first. */
export async function listViewerOrders({ db }: ShopContext, { visitorId }: Viewer): Promise<OrderSummary[]> {
  return visitorId === null ? [] : (await listVisitorOrders(db, visitorId)).map(withThumbnails);
}

/**
 * An order for its buyer: the visitor who owns it, or the bearer of its e-mailed link
 * (docs/decisions/0007-visitors-and-order-access.md). Null for anybody else.
 */
export async function findBuyerOrder(
  { db, now, secret, settings }: ShopContext,
  { visitorId }: Viewer,
  orderId: string,
  linkToken: string | null,
): Promise<ShownOrder | null> {
  if (!v.is(uuidSchema, orderId)) return null;
  const linked = linkToken === null ? null : await linkedOrder(db, orderId);
  const isBearer = linked !== null && isOrderLinkTokenValid(secret, linked, linkToken ?? "", now());
  const ownOrder = isBearer || visitorId === null ? null : await findVisitorOrder(db, visitorId, orderId);
  const order = isBearer ? await findOrder(db, orderId) : ownOrder;
  // An order with erased data is hidden from bearers of old links, too.
  if (!order || order.erasedAt !== null) return null;
  return { ...withThumbnails(order), actions: orderActions(order, await settings(), now()) };
}

/** Any order, with its open issues, for panel roles that may read orders. For anybody else, the same as `findBuyerOrder`. */
export async function orderFor(
  ctx: ShopContext,
  viewer: Viewer,
  orderId: string,
  linkToken: string | null,
): Promise<ShownOrder | null> {
  const buyerOrder = await findBuyerOrder(ctx, viewer, orderId, linkToken);
  const isReader = viewer.admin !== null && isAllowed(viewer.admin.role, ["staff", "accountant"]);
  if (!isReader || !v.is(uuidSchema, orderId)) return buyerOrder;
  const order = buyerOrder ?? (await findOrder(ctx.db, orderId));
  if (!order) return null;
  const needsAttention = await openIssuesText(ctx.db, orderId);
  return buyerOrder
    ? { ...buyerOrder, needsAttention }
    : { ...withThumbnails(order), actions: noActions, needsAttention };
}

/**
 * The viewer's order of a payment intent or checkout session; the payment of an unpaid order is first checked at the provider.
 * Null for anybody else. `payment` is the state to show to a waiting shopper.
 */
export async function findViewerOrderByPayment(
  ctx: ShopContext,
  { visitorId }: Viewer,
  sessionId: string,
): Promise<{ order: Order; payment: PaymentState } | null> {
  const { db } = ctx;
  const payment = visitorId === null ? null : await findOrderByPayment(db, visitorId, sessionId);
  if (!payment) return null;
  const storedOrder = await findOrder(db, payment.orderId);
  if (!storedOrder) return null;
  if (wasSold(storedOrder)) return { order: withThumbnails(storedOrder), payment: "paid" };
  const status = await refreshPayment(ctx, payment).catch((error: unknown) => {
    // While the provider is unavailable the page keeps polling.
    if (error instanceof ProviderUnavailable) return "processing" as const;
    // The provider does not have the payment, because the shop has since changed its provider.
    if (error instanceof ProviderRefused) return "requires_payment" as const;
    throw error;
  });
  const order = (await findOrder(db, payment.orderId)) ?? storedOrder;
  const isProcessing = status === "processing" || status === "succeeded";
  return {
    order: withThumbnails(order),
    payment: wasSold(order) ? "paid" : isProcessing ? "processing" : "unpaid",
  };
}

/**
 * Data of the sandbox's hosted payment page. As with a real provider, its URL is enough to open it, because payment links are
 * e-mailed to people who did not place the order. Null for real providers.
 */
export async function sandboxCheckout(
  { sandbox }: ShopContext,
  sessionId: string,
): Promise<SandboxCheckout | null> {
  // The id comes from the address bar, and PostgreSQL rejects some characters that no id contains.
  return sandbox && /^cs_\w{1,255}$/.test(sessionId) ? sandbox.session(sessionId) : null;
}

const maxLatest = 2;
/** Maximum number of latest orders whose addresses are suggested. */
const maxOrdersWithAddress = 100;

/** Latest orders and addresses for a browser's "Account" page, newest first. Null without a visitor. */
export async function findAccount({ db }: ShopContext, { visitorId }: Viewer): Promise<Account | null> {
  if (visitorId === null) return null;
  const all = await listVisitorOrders(db, visitorId);
  const rows = await db
    .select({ name: orders.customerName, address: orders.shippingAddress, email: orders.email })
    .from(orders)
    .innerJoin(orderVisitors, eq(orderVisitors.orderId, orders.id))
    .where(and(eq(orderVisitors.visitorId, visitorId), isNull(orders.erasedAt)))
    .orderBy(desc(orders.createdAt), desc(orders.number))
    .limit(maxOrdersWithAddress);
  const uniqueAddresses = new Map(
    rows.map(({ name, address }) => [`${name}\n${address}`, { name, address }]),
  );
  return {
    latest: all.slice(0, maxLatest).map(withThumbnails),
    ordersCount: all.length,
    addresses: [...uniqueAddresses.values()],
    email: rows[0]?.email ?? null,
  };
}

export function withThumbnails<T extends { items: { image: string | null }[] }>(order: T): T {
  const items = order.items.map((item) => ({ ...item, image: item.image && thumbnailUrl(item.image) }));
  return { ...order, items };
}
