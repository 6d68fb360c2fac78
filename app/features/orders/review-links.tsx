import type { Order } from "../../../domain/orders/order.ts";
import { LinkArrow } from "../../ui/link-arrow.tsx";
import type { ReviewedProduct } from "../reviews/write/write-review.tsx";

/**
 * The ways to review what was sent and is still in the shop; none before it was, and none once it was paid back. Whoever gave it
 * away is not asked: somebody else uses it.
 */
export function ReviewLinks({ order, products }: { order: Order; products: readonly ReviewedProduct[] }) {
  const { fulfilment, status, gift, items } = order;
  if (fulfilment === null || status === "refunded" || gift !== null) return null;
  const bought = products.filter(({ id }) => items.some(({ productId }) => productId === id));
  return bought.map(({ id, slug, name }) => (
    <div key={id} className="mt-3 print:hidden">
      <LinkArrow to={`/reviews/new?product=${slug}`}>
        Write a review{bought.length > 1 ? ` of ${name}` : <span className="sr-only"> of {name}</span>}
      </LinkArrow>
    </div>
  ));
}
