import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { priceUnits } from "../../../domain/catalog/bundles.ts";
import { taxRateFor } from "../../../domain/checkout/tax.ts";
import { taxOn } from "../../../domain/checkout/totals.ts";
import {
  type RefundSplit,
  refundByLines,
  requestedLinesProblems,
} from "../../../domain/orders/line-refund.ts";
import type { Order } from "../../../domain/orders/order.ts";
import type { RequestedItems } from "../../../domain/orders/order-edit.ts";
import { maxOrderTotalCents } from "../../../domain/shared/money.ts";
import { findSellableForLines } from "../../catalog/queries.ts";
import type { ShopContext } from "../../context.ts";
import { orderLines } from "../../orders/tables.ts";
import { readTaxPlace } from "../../orders/tax-place.ts";
import { readRefundable } from "../../payments/refunds/refundable.ts";
import type { Db } from "../../platform/database/database.ts";
import { unitsToShip } from "../actions.ts";
import type { AddedLine } from "../tables.ts";

/** A priced edit. Amounts are in cents; `goods`, `shipping` (both before tax) and `tax` are of the added lines. */
export type PricedEdit = {
  added: AddedLine[];
  goods: number;
  shipping: number;
  tax: number;
  addedTotal: number;
  removed: RefundSplit;
  difference: number;
  /** Cents by which the added units are cheaper than at the shop's current prices. */
  addedSavingCents: number;
};

type PriceResult = { ok: true; priced: PricedEdit } | { ok: false; fields: Record<string, string> };

/** Version of an order's items and money, a hash that every sale, refund, parcel and edit changes. */
export function itemsVersion(order: Order, waitingEditId: string | null): string {
  const { status, items, totals, shipments, refunds, cancelledAt, allBackAt } = order;
  const lines = items.map(({ productId, quantity, total }) => [productId, quantity, total]);
  const refundStates = refunds.map(({ id, status: refundStatus }) => [id, refundStatus]);
  const parcels = shipments.map(({ id }) => id);
  return createHash("sha256")
    .update(
      JSON.stringify([status, lines, totals, refundStates, parcels, cancelledAt, allBackAt, waitingEditId]),
    )
    .digest("hex")
    .slice(0, 16);
}

/**
 * Prices the units to add to a paid order and to remove from it. Added units cost the current price, with bundles, but no more
 * than the order's price for the same product. The order's discount does not apply to them. They are taxed at the current rate
 * of the place whose tax the order is subject to. Removed units are refunded by line.
 */
export async function priceEdit(
  ctx: ShopContext,
  tx: Db,
  order: Order,
  requested: RequestedItems,
): Promise<PriceResult> {
  const fields: Record<string, string> = {};
  const lines = await tx
    .select({
      productId: orderLines.productId,
      quantity: orderLines.quantity,
      unitPrice: orderLines.unitPriceCents,
      toShip: unitsToShip,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id));
  const refundable = await readRefundable(tx, order.id);
  if (!refundable) throw new Error(`order ${order.id} is missing`);
  const removal = { items: requested.remove, shipping: 0 };
  for (const [path, problem] of Object.entries(requestedLinesProblems(refundable, removal))) {
    fields[path.replace("items", "remove")] = problem;
  }
  for (const [index, { productId, quantity }] of requested.remove.entries()) {
    const toShip = lines.find((line) => line.productId === productId)?.toShip ?? 0;
    if (quantity > toShip) {
      fields[`remove.${index}.quantity`] =
        toShip === 0 ? "No unit of this product is left to ship" : `Only ${toShip} can still be removed`;
    }
  }
  const hasUnitsLeft = lines.some(
    ({ productId, toShip }) =>
      toShip > (requested.remove.find((line) => line.productId === productId)?.quantity ?? 0),
  );
  if (!hasUnitsLeft && requested.add.length === 0 && order.shipments.length === 0) {
    fields.remove = "This removes every item. Cancel the order instead.";
  }
  if (requested.add.length + requested.remove.length === 0) fields.add = "Change something first";
  const products = await findSellableForLines(tx, requested.add);
  const { tax: policy } = await ctx.settings(tx);
  const place = await readTaxPlace(tx, order.id);
  const rate = taxRateFor(policy, place.country ?? "", place.state);
  const hasTaxDisplayChanged =
    rate !== null && (rate.included !== undefined) !== (order.totals.taxIncluded !== undefined);
  if (hasTaxDisplayChanged && requested.add.length > 0) {
    fields.add =
      "Prices for this address have switched between including and excluding tax since this order was placed. Write a draft order instead.";
  }
  let addedSavingCents = 0;
  const added = requested.add.flatMap(({ productId, quantity }, index): AddedLine[] => {
    const product = products.get(productId);
    const existing = lines.find((line) => line.productId === productId);
    if (!product?.isPublished) {
      fields[`add.${index}.quantity`] = "This product is not for sale";
      return [];
    }
    if (product.free < quantity) {
      fields[`add.${index}.quantity`] =
        product.free > 0 ? `Only ${product.free} can be sold now` : "It is sold out";
    }
    if ((existing?.quantity ?? 0) + quantity > 99)
      fields[`add.${index}.quantity`] = "An order holds at most 99 of a product";
    const current = priceUnits(product.priceCents, quantity, product.bundles);
    const unitPrice = existing?.unitPrice ?? product.priceCents;
    const isCheaper = current.total <= unitPrice * quantity;
    const total = isCheaper ? current.total : unitPrice * quantity;
    addedSavingCents += current.total - total;
    return [
      {
        productId,
        name: product.name,
        image: product.imageFile,
        quantity,
        unitPrice,
        bundleSaving: unitPrice * quantity - total,
        bundles: isCheaper ? current.bundles : [],
        tax: taxOn(total, rate),
      },
    ];
  });
  if (Object.keys(fields).length > 0) return { ok: false, fields };
  const isIncluded = rate?.included !== undefined;
  const withoutTax = (cents: number, taxCents: number) => cents - (isIncluded ? taxCents : 0);
  const goods = added.reduce(
    (sum, line) => sum + withoutTax(line.quantity * line.unitPrice - line.bundleSaving, line.tax),
    0,
  );
  const shippingTax = rate?.onShipping ? taxOn(requested.shipping, rate) : 0;
  const shipping = withoutTax(requested.shipping, shippingTax);
  const tax = added.reduce((sum, line) => sum + line.tax, shippingTax);
  const addedTotal = goods + shipping + tax;
  const removed = refundByLines(refundable, removal);
  const difference = addedTotal - removed.amount;
  if (order.totals.total + addedTotal > maxOrderTotalCents) fields.add = "The order would be too large";
  if (Object.keys(fields).length > 0) return { ok: false, fields };
  return {
    ok: true,
    priced: { added, goods, shipping, tax, addedTotal, removed, difference, addedSavingCents },
  };
}
