import { formatCents, formatCentsShort } from "../shared/money.ts";

export const discountKinds = ["percent", "amount", "free_shipping"] as const;
export type DiscountKind = (typeof discountKinds)[number];

/** A discount's effect; codes, dates and limits are checked in discount-terms.ts. */
export type Discount = {
  code: string;
  kind: DiscountKind;
  /** Percent (0 to 100) or cents; unused for free shipping. */
  value: number;
  /** The products (each one size) whose price it reduces; all if missing or empty. */
  productIds?: readonly number[];
};

/** A discount that applies to a quote. `label` describes its effect; `automatic`: no code was entered for it. */
export type AppliedDiscount = Discount & { label: string; automatic?: true };

export function isDiscounted({ productIds = [] }: Pick<Discount, "productIds">, productId?: number): boolean {
  return productIds.length === 0 || (productId !== undefined && productIds.includes(productId));
}

/** "10% off", "$5 off", "Free shipping" */
export function discountLabel({ kind, value }: Pick<Discount, "kind" | "value">): string {
  if (kind === "free_shipping") return "Free shipping";
  return kind === "percent" ? `${value}% off` : `${formatCentsShort(value)} off`;
}

/**
 * The row of a discount in an order's amounts: `["Discount (SPRING10)", "−$3.00"]`; null without a discount. A code that
 * only made shipping free has no amount.
 */
export function discountRow(
  code: string | null,
  discountCents: number,
): [name: string, value: string] | null {
  if (code === null && discountCents === 0) return null;
  const name = code === null ? "Discount" : `Discount (${code})`;
  return [name, discountCents > 0 ? `−${formatCents(discountCents)}` : "Free shipping"];
}
