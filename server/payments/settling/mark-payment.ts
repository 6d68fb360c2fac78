import { and, eq, ne, type Placeholder, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import type { Intent } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { type PaymentStatus, payments } from "../tables.ts";

/** Query that sets a payment's status. A succeeded payment stays succeeded, whatever older events arrive. */
export function markPayment(
  { provider }: ShopContext,
  tx: Db,
  { intentId, paidWith }: Pick<Intent, "intentId" | "paidWith">,
  status: PaymentStatus,
) {
  const { account, mode } = provider;
  return tx
    .update(payments)
    .set({ status, paidWith, ...accountIfUnknown(account, mode) })
    .where(and(eq(payments.intentId, intentId), ne(payments.status, "succeeded")));
}

/** If the payment's account and mode are unknown, sets those of the current keys, which have just read the payment. */
export function accountIfUnknown(account: string | null | Placeholder, mode: string | Placeholder) {
  return {
    account: sql`coalesce(${payments.account}, ${account})`,
    mode: sql`coalesce(${payments.mode}, ${mode})`,
  };
}
