import { formatCents } from "../shared/money.ts";

/** Unit in a size -> the unit that prices are compared by, and the number of them. */
const units: Record<string, { of: string; amount: number }> = {
  "fl oz": { of: "fl oz", amount: 1 },
  oz: { of: "oz", amount: 1 },
  ml: { of: "100 ml", amount: 100 },
  l: { of: "l", amount: 1 },
  g: { of: "100 g", amount: 100 },
  kg: { of: "kg", amount: 1 },
};

/**
 * Prices per unit of measure for each measure that a size contains: "2 fl oz / 60 ml" at 2995 cents is ["$14.98 / fl oz",
 * "$49.92 / 100 ml"]. Half cents are rounded up. Empty if the size contains none.
 */
export function unitPrices(size: string, priceCents: number): string[] {
  const amounts = size.matchAll(/(?:(\d+)\s*[x×]\s*)?(\d+(?:[.,]\d+)?)\s*(fl\.?\s*oz|oz|ml|l|kg|g)\b/gi);
  return [...amounts].flatMap(([, times = "1", number = "", written = ""]) => {
    const unit = units[written.toLowerCase().replace(/^fl\.?\s*oz$/, "fl oz")];
    const amount = Number(times) * Number(number.replace(",", "."));
    if (!unit || amount === 0 || amount === unit.amount) return [];
    return `${formatCents(Math.round((priceCents * unit.amount) / amount))} / ${unit.of}`;
  });
}
