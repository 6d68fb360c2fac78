import { formatCents } from "../../../../domain/shared/money.ts";

/** `-500` -> "−$5.00" */
export function signedCents(cents: number): string {
  return cents < 0 ? `−${formatCents(-cents)}` : formatCents(cents);
}
