import { Link } from "react-router";
import type { Order } from "../../../domain/orders/order.ts";
import { Banner } from "../../ui/error-banner.tsx";
import { useCart } from "../cart/cart-store.ts";

/** For an order that is unpaid or whose payment takes days: its state and what the buyer can do. */
export function UnpaidNotice({ order: { status, payment, items } }: { order: Order }) {
  const { items: cart, ready } = useCart();
  if (status !== "pending" && status !== "cancelled") return null;
  if (status === "pending" && payment === "processing") {
    return (
      <Banner tone="info" title="Your payment is being processed." className="mt-5">
        Your bank may take a few days to confirm it. We’ll hold your items and email you as soon as it does.
        You don’t need to pay again. Until then, this order can’t be cancelled.
      </Banner>
    );
  }
  // Checkout pays for the cart, so it is offered only while the cart equals this order.
  const isInCart =
    cart.length === items.length &&
    items.every(({ productId, quantity }) =>
      cart.some((line) => line.product.id === productId && line.quantity === quantity),
    );
  const words = {
    pending: isInCart
      ? "Not paid yet."
      : "Not paid yet. If no payment arrives, this order is cancelled and nothing is charged.",
    cancelled: "This order was never paid and has ended. You have not been charged for it.",
  };
  return (
    <Banner tone="warning" className="mt-5">
      {words[status]}{" "}
      {ready && (
        <Link
          to={isInCart ? "/checkout" : "/"}
          className="inline-flex min-h-11 items-center font-medium underline underline-offset-[.25em] md:min-h-6 print:hidden"
        >
          {isInCart ? "Go to checkout" : "Order again"}
        </Link>
      )}
    </Banner>
  );
}
