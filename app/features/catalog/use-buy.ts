import { useNavigate } from "react-router";
import type { Product } from "../../../domain/catalog/product.ts";
import { toast } from "../../ui/toast.tsx";
import { useCart } from "../cart/cart-store.ts";

/** The two ways to buy: put units into the cart and stay, or go straight to checkout with them. */
export function useBuy(product: Product) {
  const { add } = useCart();
  const navigate = useNavigate();
  return {
    addToCart(quantity: number) {
      add(product, quantity);
      toast({
        title: "Added to cart",
        description: `${quantity} × ${product.name} added to your cart`,
        image: product.images[0],
        action: { label: "View cart", to: "/cart" },
      });
    },
    buyNow(quantity: number) {
      add(product, quantity);
      navigate("/checkout");
    },
  };
}
