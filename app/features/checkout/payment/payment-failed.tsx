import CreditCard from "lucide-react/icons/credit-card";
import Undo2 from "lucide-react/icons/undo-2";
import type { Order } from "../../../../domain/orders/order.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { useCart } from "../../cart/cart-store.ts";

/** For an order that was not paid, or whose payment was refunded because the order had closed. */
export function PaymentFailed({ order: { number, status } }: { order: Order }) {
  const { count, ready } = useCart();
  if (status === "refunded") {
    return (
      <EmptyState
        glyph={Undo2}
        heading="h1"
        title="Your payment was returned"
        action={<ButtonLink to="/orders">View My Orders</ButtonLink>}
      >
        It arrived after order #{number} had been closed. The money is on its way back to you.
      </EmptyState>
    );
  }
  // Checkout would redirect an empty cart to the cart page.
  const isCartEmpty = ready && count === 0;
  return (
    <EmptyState
      glyph={CreditCard}
      heading="h1"
      title="Your payment didn’t go through"
      action={
        isCartEmpty ? (
          <ButtonLink to="/">Continue Shopping</ButtonLink>
        ) : (
          <ButtonLink to="/checkout">Back to checkout</ButtonLink>
        )
      }
    >
      You have not been charged for order #{number}. You can try again, with another card or another way to
      pay.
    </EmptyState>
  );
}
