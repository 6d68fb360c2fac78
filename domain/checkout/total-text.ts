import type { ShopSettings } from "../settings/settings.ts";
import { currency, formatCents } from "../shared/money.ts";

/** A total in the owner's format: "$35.90", or "$35.90 USD". */
export function formatTotal(cents: number, display: ShopSettings["currencyDisplay"]): string {
  return display === "symbol_and_code" ? `${formatCents(cents)} ${currency}` : formatCents(cents);
}
