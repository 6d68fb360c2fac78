import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/database/database.ts";
import { type Intent, type Period, type ProviderRefund, ProviderRefused, type Session } from "../provider.ts";
import { sandboxIntents } from "../tables.ts";
import type { SandboxIntent } from "./intents.ts";
import type { SandboxRefund } from "./refunds.ts";

/** Data of the hosted payment page. */
export type SandboxCheckout = Session & {
  intentId: string;
  clientSecret: string;
  orderNumber: number;
  successUrl: string;
  cancelUrl: string;
};

const listPageMax = 100;

export function toIntent(row: SandboxIntent): Intent {
  return {
    intentId: row.id,
    status: row.status === "succeeded" || row.status === "canceled" ? row.status : "requires_payment",
    providerStatus: row.status,
    amount: row.amount,
    amountReceived: row.amountReceived,
    amountRefunded: row.amountRefunded,
    paidWith: row.status === "succeeded" ? "Test card" : null,
    isDisputed: false,
    currency: row.currency,
    clientSecret: row.clientSecret,
    declinedChargeId: row.failedAttempts > 0 ? `ch_${row.id}_${row.failedAttempts}` : null,
    orderId: row.orderId,
    createdAt: row.createdAt,
  };
}

/** Unlike a page of Stripe, a page of the sandbox has its intent from the start. */
export function toSession(row: SandboxIntent, publicUrl: string): Session {
  return toHostedPage(row, publicUrl);
}

export function toHostedPage(row: SandboxIntent, publicUrl: string): SandboxCheckout {
  if (row.sessionId === null || row.successUrl === null || row.cancelUrl === null) {
    throw new ProviderRefused(
      "idempotency_error",
      "The idempotency key belongs to a payment without a hosted page.",
    );
  }
  const status =
    row.status === "succeeded"
      ? "complete"
      : row.status === "canceled" || isExpired(row)
        ? "expired"
        : "open";
  return {
    id: row.sessionId,
    url: status === "open" ? `${publicUrl}/sandbox/checkout/${row.sessionId}` : null,
    status,
    intentId: row.id,
    clientSecret: row.clientSecret,
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    amount: row.amount,
    currency: row.currency,
    successUrl: row.successUrl.replace("{CHECKOUT_SESSION_ID}", row.sessionId),
    cancelUrl: row.cancelUrl,
  };
}

export function toRefund({ id, refundId, intentId, amount, createdAt }: SandboxRefund): ProviderRefund {
  return { id, refundId, intentId, amount, status: "succeeded", failure: null, createdAt };
}

export async function* listSucceededIntents(db: Database, { from, to }: Period): AsyncIterable<Intent> {
  let isAfterLast: SQL | undefined;
  for (;;) {
    const rows = await db
      .select()
      .from(sandboxIntents)
      .where(
        and(
          eq(sandboxIntents.status, "succeeded"),
          gte(sandboxIntents.createdAt, from),
          to && lt(sandboxIntents.createdAt, to),
          isAfterLast,
        ),
      )
      .orderBy(desc(sandboxIntents.createdAt), desc(sandboxIntents.id))
      .limit(listPageMax);
    yield* rows.map(toIntent);
    const last = rows.at(-1);
    if (rows.length < listPageMax || !last) return;
    // Compares with the stored row, whose timestamp is more precise than a Date.
    isAfterLast = sql`(${sandboxIntents.createdAt}, ${sandboxIntents.id}) < (
      select created_at, id from ${sandboxIntents} where id = ${last.id})`;
  }
}

function isExpired({ expiresAt }: SandboxIntent): boolean {
  return expiresAt !== null && expiresAt <= new Date();
}
