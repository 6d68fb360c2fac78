import * as v from "valibot";
import { formatCents } from "../shared/money.ts";

/** Several units of one product for one price, in cents. */
export const bundleSchema = v.object({ quantity: v.number(), price: v.number() });
export type Bundle = v.InferOutput<typeof bundleSchema>;

/** A bundle applied to a line, and how many times. */
export const usedBundleSchema = v.object({ ...bundleSchema.entries, count: v.number() });
export type UsedBundle = v.InferOutput<typeof usedBundleSchema>;

export const minBundleQuantity = 2;
export const maxBundleQuantity = 12;

/** In cents; `total = listTotal - saving`. `bundles` are those applied, largest first. */
export type LinePrice = { total: number; listTotal: number; saving: number; bundles: UsedBundle[] };

/**
 * The cheapest combination of bundles and single units for exactly `quantity` units. Bundles without a saving are not
 * applied. The result does not depend on the bundles' order.
 */
export function priceUnits(unitPrice: number, quantity: number, bundles: readonly Bundle[] = []): LinePrice {
  const largestFirst = [...bundles].sort((a, b) => b.quantity - a.quantity || a.price - b.price);
  const costs = [0];
  const lastBundle: (Bundle | null)[] = [null];
  for (let units = 1; units <= quantity; units += 1) {
    let cost = (costs[units - 1] ?? 0) + unitPrice;
    let bestBundle: Bundle | null = null;
    for (const bundle of largestFirst) {
      const costBefore = costs[units - bundle.quantity];
      if (costBefore === undefined || costBefore + bundle.price >= cost) continue;
      cost = costBefore + bundle.price;
      bestBundle = bundle;
    }
    costs.push(cost);
    lastBundle.push(bestBundle);
  }
  const counts = new Map<Bundle, number>();
  for (let remaining = quantity; remaining > 0; ) {
    const bundle = lastBundle[remaining] ?? null;
    if (bundle) counts.set(bundle, (counts.get(bundle) ?? 0) + 1);
    remaining -= bundle?.quantity ?? 1;
  }
  const total = costs[quantity] ?? 0;
  const listTotal = unitPrice * quantity;
  const usedBundles = largestFirst.flatMap((bundle) => {
    const count = counts.get(bundle);
    return count ? [{ quantity: bundle.quantity, price: bundle.price, count }] : [];
  });
  return { total, listTotal, saving: listTotal - total, bundles: usedBundles };
}

/** One unit, or the units of a bundle. Cents; `unitPrice` is rounded half up. */
type BundleChoice = { quantity: number; total: number; saving: number; unitPrice: number; isBest: boolean };

/**
 * Choices on a product's page: one unit, and each bundle that saves something; empty if none does. `isBest` marks the one
 * choice with the lowest price per unit.
 */
export function bundleChoices(unitPrice: number, bundles: readonly Bundle[]): BundleChoice[] {
  const quantities = [...new Set(bundles.map(({ quantity }) => quantity))].sort((a, b) => a - b);
  const allChoices = [1, ...quantities].map((quantity) => ({
    quantity,
    ...priceUnits(unitPrice, quantity, bundles),
  }));
  const choices = allChoices.filter(({ quantity, saving }) => quantity === 1 || saving > 0);
  if (choices.length < 2) return [];
  return choices.map(({ quantity, total, saving }) => ({
    quantity,
    total,
    saving,
    unitPrice: Math.floor((2 * total + quantity) / (2 * quantity)),
    isBest: choices.every(
      (other) => other.quantity === quantity || total * other.quantity < other.total * quantity,
    ),
  }));
}

/** Additional saving (cents) of buying one more unit. */
export function savingOnOneMore(unitPrice: number, quantity: number, bundles: readonly Bundle[]): number {
  const savingNow = priceUnits(unitPrice, quantity, bundles).saving;
  return Math.max(0, priceUnits(unitPrice, quantity + 1, bundles).saving - savingNow);
}

/** "3 for $79.00 + 2 for $56.00, saving $14.75", printed below a line; null if no bundle was applied. */
export function bundleNote(bundles: readonly UsedBundle[], saving: number): string | null {
  if (bundles.length === 0) return null;
  const parts = bundles.map(({ quantity, price, count }) => {
    const bundle = `${quantity} for ${formatCents(price)}`;
    return count === 1 ? bundle : `${count} × ${bundle}`;
  });
  return `${parts.join(" + ")}, saving ${formatCents(saving)}`;
}
