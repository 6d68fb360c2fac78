import { quantityMax } from "../../../domain/cart/cart-limits.ts";
import type { CartItem } from "./cart-storage.ts";

/** Why a line cannot be bought, in words, and how many of its units could be (`buyable`). Null: no known problem. */
export function lineProblem({
  quantity,
  available,
}: Pick<CartItem, "quantity" | "available">): { text: string; buyable: number } | null {
  if (available === null) return { text: "No longer available", buyable: 0 };
  if (available === undefined || available >= quantity) return null;
  if (available === 0) return { text: "Sold out", buyable: 0 };
  return { text: `Only ${available} left`, buyable: available };
}

/** The largest quantity that a line may be set to, never below its present one. */
export function lineMax({ quantity, available }: Pick<CartItem, "quantity" | "available">): number {
  return Math.max(quantity, Math.min(quantityMax, available ?? quantityMax));
}
