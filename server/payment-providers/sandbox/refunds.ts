import { asc, eq, sql } from "drizzle-orm";
import type { Database } from "../../platform/database/database.ts";
import { type CreateRefund, ProviderRefused, UnknownPayment } from "../provider.ts";
import { sandboxEvents, sandboxIntents, sandboxRefunds } from "../tables.ts";
import { chargeObject, eventRows, refundObject, type SandboxEvent, sandboxId } from "./events.ts";

export type SandboxRefund = typeof sandboxRefunds.$inferSelect;

/** Refunds a payment once per idempotency key, never more than was captured. Throws ProviderRefused with Stripe's codes. */
export async function insertRefund(
  db: Database,
  { intentId, amount, idempotencyKey, refundId }: CreateRefund,
): Promise<{ refund: SandboxRefund; events: SandboxEvent[] }> {
  return db.transaction(async (tx) => {
    const [intent] = await tx
      .select({ received: sandboxIntents.amountReceived, refunded: sandboxIntents.amountRefunded })
      .from(sandboxIntents)
      .where(eq(sandboxIntents.id, intentId))
      .for("update");
    if (!intent) throw new UnknownPayment(`No such payment_intent: '${intentId}'`);
    const [existing] = await tx
      .select()
      .from(sandboxRefunds)
      .where(eq(sandboxRefunds.idempotencyKey, idempotencyKey));
    if (existing) return { refund: existing, events: [] };
    if (amount > intent.received - intent.refunded) {
      throw intent.received > 0 && intent.received === intent.refunded
        ? new ProviderRefused("charge_already_refunded", "The payment has already been refunded.")
        : new ProviderRefused("amount_too_large", "The refund is greater than the rest of the payment.");
    }
    const [refund] = await tx
      .insert(sandboxRefunds)
      .values({ id: sandboxId("re"), intentId, amount, idempotencyKey, refundId })
      .returning();
    if (!refund) throw new Error("the insert returned no refund");
    const changed = tx.$with("changed").as(
      tx
        .update(sandboxIntents)
        .set({ amountRefunded: sql`${sandboxIntents.amountRefunded} + ${amount}` })
        .where(eq(sandboxIntents.id, intentId))
        .returning(),
    );
    const events = await tx
      .with(changed)
      .insert(sandboxEvents)
      .select(
        eventRows([
          { type: "refund.updated", object: refundObject(refund) },
          { type: "charge.refunded", object: chargeObject },
        ]),
      )
      .returning();
    return { refund, events };
  });
}

export async function listIntentRefunds(db: Database, intentId: string): Promise<SandboxRefund[]> {
  return db
    .select()
    .from(sandboxRefunds)
    .where(eq(sandboxRefunds.intentId, intentId))
    .orderBy(asc(sandboxRefunds.createdAt));
}
