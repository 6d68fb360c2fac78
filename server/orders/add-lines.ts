import { eq, max, sql } from "drizzle-orm";
import type { UsedBundle } from "../../domain/catalog/bundles.ts";
import type { AmountsWithTax } from "../../domain/checkout/included-tax.ts";
import type { AddedLine, OrderEditRecord } from "../order-desk/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { orderLines, orders } from "./tables.ts";

type Addition = Pick<OrderEditRecord, "added" | "goodsCents" | "shippingCents" | "taxCents">;

/** Adds an edit's lines, amounts and exchanged amount to its order. The caller holds the order's lock. */
export async function addToOrder(
  tx: Db,
  orderId: string,
  addition: Addition & { exchangedCents: number },
): Promise<void> {
  const { added, goodsCents, shippingCents, taxCents, exchangedCents } = addition;
  await addLines(tx, orderId, added);
  const [pricing] = await tx.select({ withTax: orders.withTax }).from(orders).where(eq(orders.id, orderId));
  await tx
    .update(orders)
    .set({
      subtotalCents: sql`${orders.subtotalCents} + ${goodsCents}`,
      shippingCents: sql`${orders.shippingCents} + ${shippingCents}`,
      taxCents: sql`${orders.taxCents} + ${taxCents}`,
      totalCents: sql`${orders.totalCents} + ${goodsCents + shippingCents + taxCents}`,
      addedGoodsCents: sql`${orders.addedGoodsCents} + ${goodsCents}`,
      addedShippingCents: sql`${orders.addedShippingCents} + ${shippingCents}`,
      addedTaxCents: sql`${orders.addedTaxCents} + ${taxCents}`,
      exchangedCents: sql`${orders.exchangedCents} + ${exchangedCents}`,
      ...(added.length > 0 && { allBackAt: null }),
      ...(pricing?.withTax && { withTax: addWithTax(pricing.withTax, addition) }),
    })
    .where(eq(orders.id, orderId));
}

/** The amounts with tax that a shopper sees after an edit. */
function addWithTax(
  existingLines: AmountsWithTax,
  { added, shippingCents, taxCents }: Addition,
): AmountsWithTax {
  const shippingTax = added.reduce((remaining, { tax }) => remaining - tax, taxCents);
  return {
    ...existingLines,
    subtotal: added.reduce(
      (sum, { quantity, unitPrice, bundleSaving }) => sum + quantity * unitPrice - bundleSaving,
      existingLines.subtotal,
    ),
    shipping: existingLines.shipping + shippingCents + shippingTax,
  };
}

/**
 * Adds units to the line of their product, because a product has only one line in an order; if the new units cost less, the
 * difference is added to the line's bundle saving.
 */
async function addLines(tx: Db, orderId: string, added: readonly AddedLine[]): Promise<void> {
  if (added.length === 0) return;
  const existingLines = await tx.select().from(orderLines).where(eq(orderLines.orderId, orderId));
  const [last] = await tx
    .select({ position: max(orderLines.position) })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId));
  let position = (last?.position ?? -1) + 1;
  for (const { productId, name, image, quantity, unitPrice, bundleSaving, bundles, tax } of added) {
    const existing = existingLines.find((line) => line.productId === productId);
    if (existing) {
      await tx
        .update(orderLines)
        .set({
          quantity: existing.quantity + quantity,
          bundleSavingCents: existing.bundleSavingCents + bundleSaving,
          bundles: mergeBundles(existing.bundles, bundles),
          taxCents: existing.taxCents + tax,
        })
        .where(sql`${orderLines.orderId} = ${orderId} and ${orderLines.productId} = ${productId}`);
      continue;
    }
    await tx.insert(orderLines).values({
      orderId,
      position,
      productId,
      name,
      image,
      quantity,
      bundles,
      unitPriceCents: unitPrice,
      bundleSavingCents: bundleSaving,
      discountCents: 0,
      taxCents: tax,
    });
    position += 1;
  }
}

function mergeBundles(existing: readonly UsedBundle[], added: readonly UsedBundle[]): UsedBundle[] {
  const merged = existing.map((bundle) => ({ ...bundle }));
  for (const bundle of added) {
    const same = merged.find(({ quantity, price }) => quantity === bundle.quantity && price === bundle.price);
    if (same) same.count += bundle.count;
    else merged.push(bundle);
  }
  return merged;
}
