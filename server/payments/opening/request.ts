import { asc, eq } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { orderEdits, orderExchanges } from "../../order-desk/tables.ts";
import { orderLines } from "../../orders/tables.ts";
import { paymentLink } from "../payment-link.ts";
import type { OpenedPayment, Opening, OrderToPay } from "./opening.ts";

/**
 * Requests an order's payment from the provider. Sends only what is stored, so that the call can be repeated with the same
 * idempotency key at any time.
 */
export async function requestPayment(
  ctx: ShopContext,
  order: OrderToPay,
  opening: Pick<Opening, "revision" | "hosted" | "orderEditId" | "createdAt">,
  timeoutMs: number,
): Promise<OpenedPayment> {
  if (opening.orderEditId) return requestEditPayment(ctx, order, opening.orderEditId, opening, timeoutMs);
  if (order.creditCents) return requestExchangePayment(ctx, order, opening, timeoutMs);
  const { revision, hosted } = opening;
  const request = {
    orderId: order.id,
    orderNumber: order.number,
    amount: order.totalCents,
    currency: order.currency,
    email: order.email,
    // Stripe rejects a wallet's shipping details if the shop has already set some.
    ...(order.byWallet
      ? {}
      : { recipient: { name: order.customerName, address: order.shipping ?? order.shippingAddress } }),
    idempotencyKey: `order-${order.id}-${revision}`,
    timeoutMs,
  };
  if (!hosted) return { kind: "intent", intent: await ctx.provider.createIntent(request) };
  const lines = await ctx.db
    .select({
      name: orderLines.name,
      quantity: orderLines.quantity,
      unitAmount: orderLines.unitPriceCents,
      bundleSaving: orderLines.bundleSavingCents,
      discount: orderLines.discountCents,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id))
    .orderBy(asc(orderLines.position));
  const session = await ctx.provider.createSession({
    ...request,
    lines: lines.map(pageLine),
    successUrl: `${ctx.config.publicUrl}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${ctx.config.publicUrl}/checkout`,
    createdAt: order.createdAt,
    expiresAt: order.expiresAt,
  });
  return { kind: "session", session };
}

/** Time for which the payment page of an order edit or exchange stays open; afterwards the payment link opens a new page. */
const editPageMs = 30 * 60 * 1000;

async function requestEditPayment(
  ctx: ShopContext,
  order: OrderToPay,
  orderEditId: string,
  { revision, createdAt = new Date(0) }: Pick<Opening, "revision" | "createdAt">,
  timeoutMs: number,
): Promise<OpenedPayment> {
  const [edit] = await ctx.db.select().from(orderEdits).where(eq(orderEdits.id, orderEditId));
  if (!edit) throw new Error(`order edit ${orderEditId} is missing`);
  const { added, removedCents, differenceCents } = edit;
  const page = paymentLink(ctx, { ...edit, email: order.email });
  const lines =
    removedCents > 0
      ? [{ name: `Changes to order #${order.number}`, quantity: 1, unitAmount: differenceCents }]
      : added.map(({ name, quantity, unitPrice, bundleSaving }) =>
          pageLine({ name, quantity, unitAmount: unitPrice, bundleSaving, discount: 0 }),
        );
  const session = await ctx.provider.createSession({
    orderId: order.id,
    orderNumber: order.number,
    amount: differenceCents,
    currency: order.currency,
    email: order.email,
    idempotencyKey: `order-${order.id}-${revision}`,
    timeoutMs,
    lines,
    successUrl: `${page}&done=1`,
    cancelUrl: page,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + editPageMs),
  });
  return { kind: "session", session };
}

/** Sends the difference as a single line, because a hosted page cannot deduct the credit for returned units from the lines. */
async function requestExchangePayment(
  ctx: ShopContext,
  order: OrderToPay,
  { revision, createdAt = new Date(0) }: Pick<Opening, "revision" | "createdAt">,
  timeoutMs: number,
): Promise<OpenedPayment> {
  const [exchange] = await ctx.db
    .select()
    .from(orderExchanges)
    .where(eq(orderExchanges.newOrderId, order.id));
  if (!exchange) throw new Error(`order ${order.id} has a credit without an exchange`);
  const page = paymentLink(ctx, { ...exchange, email: order.email });
  const amount = order.totalCents - (order.creditCents ?? 0);
  const session = await ctx.provider.createSession({
    orderId: order.id,
    orderNumber: order.number,
    amount,
    currency: order.currency,
    email: order.email,
    idempotencyKey: `order-${order.id}-${revision}`,
    timeoutMs,
    lines: [{ name: `Exchange, order #${order.number}`, quantity: 1, unitAmount: amount }],
    successUrl: `${page}&done=1`,
    cancelUrl: page,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + editPageMs),
  });
  return { kind: "session", session };
}

type OrderedLine = {
  name: string;
  quantity: number;
  unitAmount: number;
  bundleSaving: number;
  discount: number;
};

/** Hosted pages allow no negative lines, so bundle savings and discounts are deducted from their line and stated in its name. */
function pageLine({ name, quantity, unitAmount, bundleSaving, discount }: OrderedLine) {
  if (bundleSaving + discount === 0) return { name, quantity, unitAmount };
  const bundle = bundleSaving === 0 ? "" : ", bundle price";
  const deduction = discount === 0 ? "" : `, less ${formatCents(discount)} discount`;
  return {
    name: `${quantity} × ${name}${bundle}${deduction}`,
    quantity: 1,
    unitAmount: quantity * unitAmount - bundleSaving - discount,
  };
}
