import Package from "lucide-react/icons/package";
import { useState } from "react";
import { flushSync } from "react-dom";
import { maxQuantity } from "../../../domain/cart/cart-limits.ts";
import type { ProductImage } from "../../../domain/catalog/product.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import type { CartItem } from "./cart-storage.ts";
import { useCart } from "./cart-store.ts";

/** Explains why checkout is disabled while a line has a problem. */
export const blockedText = "Some items aren’t available right now. Change or remove them to continue.";

/** Why a line cannot be bought (`text`), and how many of its units can be (`buyable`). Null if no problem is known. */
export function lineProblem({
  quantity,
  available,
}: Pick<CartItem, "quantity" | "available">): { text: string; buyable: number } | null {
  if (available === null) return { text: "No longer available", buyable: 0 };
  if (available === undefined || available >= quantity) return null;
  if (available === 0) return { text: "Sold out", buyable: 0 };
  return { text: `Only ${available} left`, buyable: available };
}

/** The problem of a cart line, in red, and a button that lowers its quantity to the units left. */
export function LineProblem({ item, className }: { item: CartItem; className: string }) {
  const { setQuantity } = useCart();
  const problem = lineProblem(item);
  if (!problem) return null;
  const { product } = item;
  return (
    <p className={`flex min-h-11 flex-wrap items-center gap-x-3 text-small ${className}`}>
      <span className="font-medium text-danger">{problem.text}</span>
      {problem.buyable > 0 && (
        <TextButton
          onClick={({ currentTarget }) => {
            const quantityField = currentTarget.closest("li, tr")?.querySelector("input");
            flushSync(() => setQuantity(product.id, problem.buyable));
            // The pressed button is gone; the field is read out with its new quantity.
            quantityField?.focus();
          }}
        >
          <span>
            Change to {problem.buyable}
            <span className="sr-only"> {product.name}</span>
          </span>
        </TextButton>
      )}
    </p>
  );
}

/** The largest quantity that a line may be set to, never below its present one. */
export function maxLineQuantity({ quantity, available }: Pick<CartItem, "quantity" | "available">): number {
  return Math.max(quantity, Math.min(maxQuantity, available ?? maxQuantity));
}

/** A product's small picture beside its name, hence without alternative text; an icon if it is missing or fails to load. */
export function LineImage({
  image,
  sizes,
  className,
}: {
  image: ProductImage | undefined;
  sizes: string;
  className: string;
}) {
  const [hasFailed, setFailed] = useState(false);
  return image && !hasFailed ? (
    <Picture
      image={image}
      alt=""
      sizes={sizes}
      className={`object-cover ${className}`}
      onError={() => setFailed(true)}
    />
  ) : (
    <span className={`grid place-items-center bg-cream text-copper-700 ${className}`}>
      <Icon glyph={Package} size="large" />
    </span>
  );
}
