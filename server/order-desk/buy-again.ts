import { quantityMax } from "../../domain/cart/cart-limits.ts";
import { priceUnits } from "../../domain/catalog/bundles.ts";
import type { BuyAgain } from "../../domain/orders/buy-again.ts";
import { thumbnailOf } from "../catalog/pictures/sizes.ts";
import { findSellable } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { orderFor } from "./viewer-orders.ts";

/** Products of an order that can be bought again, at current prices. Null if the viewer may not see the order. */
export async function buyAgain(
  ctx: ShopContext,
  viewer: Viewer,
  orderId: string,
  linkToken: string | null,
): Promise<BuyAgain | null> {
  const order = await orderFor(ctx, viewer, orderId, linkToken);
  if (!order) return null;
  const products = await findSellable(
    ctx.db,
    order.items.map(({ productId }) => productId),
  );
  const items = order.items.map(({ productId, name, image, quantity: ordered, price }) => {
    const product = products.get(productId);
    if (!product?.isPublished) {
      return { productId, name, slug: null, image, ordered, quantity: 0, price, total: 0, bundles: [] };
    }
    const quantity = Math.min(ordered, quantityMax, Math.max(0, product.free));
    return {
      productId,
      name: product.name,
      slug: product.slug,
      image: product.imageFile === null ? null : thumbnailOf(product.imageFile),
      ordered,
      quantity,
      price: product.priceCents,
      total: priceUnits(product.priceCents, quantity, product.bundles).total,
      bundles: product.bundles,
    };
  });
  return { number: order.number, items, subtotal: items.reduce((sum, { total }) => sum + total, 0) };
}
