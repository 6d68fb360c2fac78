import { and, desc, eq } from "drizzle-orm";
import type { AdminRefund } from "../../../domain/orders/admin-order.ts";
import type { Order } from "../../../domain/orders/order.ts";
import type { OrderEdit } from "../../../domain/orders/order-edit.ts";
import { thumbnailUrl } from "../../catalog/pictures/sizes.ts";
import type { ShopContext } from "../../context.ts";
import { findOrder } from "../../orders/queries.ts";
import type { PaymentProvider } from "../../payment-providers/provider.ts";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { type AddedLine, type OrderEditRecord, orderEdits } from "../tables.ts";
import { itemsVersion } from "./price.ts";

/** An order's edits for the panel, newest first; the amounts they exchanged; and the items' version, which a new edit must send. */
export async function readOrderEdits(
  ctx: Pick<ShopContext, "db"> & { provider: PaymentProvider },
  order: Order,
): Promise<{ changes: OrderEdit[]; exchanges: AdminRefund[]; version: string }> {
  const rows = await ctx.db
    .select()
    .from(orderEdits)
    .where(eq(orderEdits.orderId, order.id))
    .orderBy(desc(orderEdits.createdAt), desc(orderEdits.id));
  const waiting = rows.find(({ status }) => status === "waiting");
  const editPayments =
    rows.length === 0
      ? []
      : await ctx.db
          .select()
          .from(payments)
          .where(and(eq(payments.orderId, order.id), eq(payments.status, "succeeded")));
  const changes = rows.map((edit): OrderEdit => {
    const payment = editPayments.find(
      ({ orderEditId, provider }) => orderEditId === edit.id && provider === ctx.provider.name,
    );
    return {
      id: edit.id,
      status: edit.status,
      note: edit.note,
      ...editContent(edit, order),
      createdAt: edit.createdAt.toISOString(),
      sentAt: edit.sentAt?.toISOString() ?? null,
      expiresAt: edit.expiresAt?.toISOString() ?? null,
      endedAt: edit.endedAt?.toISOString() ?? null,
      intentId: payment?.intentId ?? null,
      dashboardUrl: payment?.intentId ? ctx.provider.dashboardUrl(payment.intentId) : null,
    };
  });
  return { changes, exchanges: rows.flatMap(toExchange), version: itemsVersion(order, waiting?.id ?? null) };
}

/** The amount that an edit exchanged, as a row among the panel's refunds; empty if there is none. */
function toExchange(edit: OrderEditRecord): AdminRefund[] {
  if (edit.exchangeId === null || edit.endedAt === null) return [];
  const at = edit.endedAt.toISOString();
  return [
    {
      id: edit.exchangeId,
      amount: edit.exchangedCents,
      goods: edit.exchangedGoodsCents,
      shipping: edit.exchangedShippingCents,
      tax: edit.exchangedTaxCents,
      items: edit.removed,
      status: "succeeded",
      reason: "Exchanged for other items",
      failure: null,
      origin: "shop",
      createdAt: at,
      settledAt: at,
      isExchange: true,
    },
  ];
}

/** An edit with its order, and whether its payment is being processed by a bank. Null if there is no such edit. */
export async function findEdit(
  db: Db,
  editId: string,
): Promise<{ edit: OrderEditRecord; order: Order; isProcessing: boolean } | null> {
  const [edit] = await db.select().from(orderEdits).where(eq(orderEdits.id, editId));
  const order = edit && (await findOrder(db, edit.orderId));
  if (!order) return null;
  const isProcessing = and(eq(payments.orderEditId, editId), eq(payments.status, "processing"));
  return { edit, order, isProcessing: (await db.$count(payments, isProcessing)) > 0 };
}

/** Lines and amounts of an edit. */
export function editContent(edit: OrderEditRecord, order: Order) {
  const names = new Map(order.items.map(({ productId, name }) => [productId, name]));
  return {
    ...namedItems(edit.added, edit.removed, names),
    goods: edit.goodsCents,
    shipping: edit.shippingCents,
    tax: edit.taxCents,
    addedTotal: edit.addedCents,
    removedTotal: edit.removedCents,
    difference: edit.differenceCents,
    ...includedTaxName(order),
  };
}

export function namedItems(
  added: readonly AddedLine[],
  removed: OrderEditRecord["removed"],
  names: ReadonlyMap<number, string>,
): Pick<OrderEdit, "added" | "removed"> {
  return {
    added: added.map(({ productId, name, image, quantity, unitPrice, bundleSaving, tax }) => ({
      productId,
      name,
      quantity,
      unitPrice,
      tax,
      image: image && thumbnailUrl(image),
      total: quantity * unitPrice - bundleSaving,
    })),
    removed: namedLines(removed, names),
  };
}

/** Name of the tax that the order's prices include. */
export function includedTaxName({ totals }: Order): Pick<OrderEdit, "taxIncluded"> {
  return totals.taxIncluded ? { taxIncluded: totals.taxIncluded.name } : {};
}

export function namedLines(lines: OrderEditRecord["removed"], names: ReadonlyMap<number, string>) {
  return lines.map((line) => ({ ...line, name: names.get(line.productId) ?? "A product" }));
}
