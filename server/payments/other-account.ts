import { and, eq, isNull, or, type SQL } from "drizzle-orm";
import { areKnownToDiffer, isOtherAccountOrMode } from "../../domain/payments/payment-mode.ts";
import type { PaymentProvider } from "../payment-providers/provider.ts";
import type { Db } from "../platform/database/database.ts";
import { payments } from "./tables.ts";

/** The provider, account and mode in which a payment was made. */
type Origin = Pick<typeof payments.$inferSelect, "provider" | "account" | "mode">;
export type Keys = Pick<PaymentProvider, "name" | "account" | "mode">;

/** Whether the current keys cannot read a payment (`isOtherAccountOrMode`). */
export function isOtherAccount({ name: provider, account, mode }: Keys, origin: Origin): boolean {
  return isOtherAccountOrMode({ provider, account, mode }, origin);
}

/** The opposite of `isOtherAccount` as an SQL condition. */
export function isThisAccount({ name, account, mode }: Keys): SQL | undefined {
  return and(
    eq(payments.provider, name),
    or(isNull(payments.mode), eq(payments.mode, mode)),
    account === null ? undefined : or(isNull(payments.account), eq(payments.account, account)),
  );
}

type PaymentRow = typeof payments.$inferSelect;

/** The payment that holds the money at the provider: for a payment by exchange, the first order's payment, otherwise itself. */
export async function findSourcePayment(db: Db, payment: PaymentRow): Promise<PaymentRow> {
  if (payment.sourceIntentId === null) return payment;
  const [source] = await db.select().from(payments).where(eq(payments.intentId, payment.sourceIntentId));
  if (!source) throw new Error(`Payment ${payment.sourceIntentId} is missing`);
  return source;
}

/** Message for the owner on how to refund a payment that the current keys cannot read. */
export function otherAccountRefundText(keys: Keys, origin: Origin): string {
  if (origin.provider === "manual") {
    return "This order was paid outside the shop. Pay it back the way it was paid, then record it as a refund.";
  }
  if (origin.provider !== keys.name) {
    return "This order was paid through a payment provider that the shop is no longer connected to. Refund it there.";
  }
  return `The payment belongs to ${otherAccountText(keys, origin)}. Refund it in the dashboard there.`;
}

/** Text after "belongs to" for a payment that the current keys cannot read. */
export function otherAccountText(keys: Keys, { provider, account, mode }: Origin): string {
  if (provider !== keys.name) return "another payment provider";
  if (areKnownToDiffer(account, keys.account)) return `another account of the payment provider (${account})`;
  if (areKnownToDiffer(mode, keys.mode)) return `the payment provider’s ${mode} mode`;
  return "an account or mode of the payment provider that the present keys do not open";
}
