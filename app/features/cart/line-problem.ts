import { quantityMax } from "../../../domain/cart/cart-limits.ts";
import type { CartItem } from "./cart-storage.ts";

/** Why a line cannot be bought as it stands, in words; `buyable` is how many could be. Null: nothing is known to be wrong. */
export function lineProblem({
  quantity,
  available,
}: Pick<CartItem, "quantity" | "available">): { text: string; buyable: number } | null {
  if (available === null) return { text: "No longer available", buyable: 0 };
  if (available === undefined || available >= quantity) return null;
  if (available === 0) return { text: "Sold out", buyable: 0 };
  return { text: `Only ${available} left`, buyable: available };
}

/** The most units that its line may be set to: never fewer than it has. */
export function lineMax({ quantity, available }: Pick<CartItem, "quantity" | "available">): number {
  return Math.max(quantity, Math.min(quantityMax, available ?? quantityMax));
}
