import { formatCents } from "../../../../domain/shared/money.ts";

/** `-500` -> "−$5.00" */
export function signedCents(cents: number): string {
  // A negative zero would be written as "-$0.00".
  return cents < 0 ? `−${formatCents(-cents)}` : formatCents(cents + 0);
}
