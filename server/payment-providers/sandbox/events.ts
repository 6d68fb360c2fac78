import { randomBytes } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { sandboxEvents } from "../tables.ts";

export type SandboxEvent = typeof sandboxEvents.$inferSelect;
/** An event to insert for each row of `changed` that meets `where`. `object` is the SQL of its JSON. */
export type NewEvent = { type: string; object: SQL; where?: SQL };

/** "pi" -> "pi_3f…", which cannot be guessed. */
export function sandboxId(prefix: string): string {
  return `${prefix}_${randomBytes(14).toString("hex")}`;
}

/** Selects rows for `sandbox_events` about `changed`, so that one statement writes both. */
export function eventRows(newEvents: readonly NewEvent[]): SQL {
  const selects = newEvents.map(
    ({ type, object, where }) =>
      sql`select 'evt_' || replace(gen_random_uuid()::text, '-', ''), ${type}::text, ${object}, now() from changed where ${where ?? sql`true`}`,
  );
  return sql.join(selects, sql` union all `);
}

/**
 * A condition that is always true. As a side effect, the statement's transaction does not wait for the disk: a crash of the
 * database undoes it, unless a later transaction that does wait has been committed.
 */
export const commitsAsynchronously = sql`set_config('synchronous_commit', 'off', true) is not null`;

const metadata = sql`jsonb_build_object('app', 'palmira', 'orderId', order_id, 'orderNumber', order_number::text)`;

/** SQL of an object in the format of Stripe's PaymentIntent, without the client secret, which must not be stored or logged. */
export function intentObject(lastError: { code: string; message: string } | null = null): SQL {
  return sql`jsonb_build_object('id', id, 'object', 'payment_intent', 'amount', amount,
    'amount_received', amount_received, 'currency', currency, 'status', status, 'livemode', false,
    'created', extract(epoch from created_at)::bigint, 'metadata', ${metadata},
    'last_payment_error', ${lastError === null ? sql`null::jsonb` : errorObject(lastError)})`;
}

function errorObject(error: { code: string; message: string }): SQL {
  return sql`${JSON.stringify(error)}::jsonb || jsonb_build_object('charge', 'ch_' || id || '_' || failed_attempts)`;
}

/** SQL of an object in the format of Stripe's Checkout Session. */
export function sessionObject(status: "complete" | "expired"): SQL {
  return sql`jsonb_build_object('id', session_id, 'object', 'checkout.session', 'status', ${status}::text,
    'payment_intent', id, 'payment_status', case status when 'succeeded' then 'paid' else 'unpaid' end,
    'amount_total', amount, 'currency', currency, 'livemode', false, 'metadata', ${metadata})`;
}

/** SQL of an object in the format of Stripe's Charge, after a refund. */
export const chargeObject = sql`jsonb_build_object('id', 'ch' || substr(id, 3), 'object', 'charge', 'payment_intent', id,
    'amount', amount, 'amount_refunded', amount_refunded, 'currency', currency, 'livemode', false,
    'refunded', amount_refunded = amount, 'metadata', ${metadata})`;

/** SQL of an object in the format of Stripe's Refund. `changed` is the refunded intent. */
export function refundObject(refund: { id: string; refundId: string; amount: number }): SQL {
  return sql`jsonb_build_object('id', ${refund.id}::text, 'object', 'refund', 'payment_intent', id,
    'amount', ${refund.amount}::int, 'currency', currency, 'status', 'succeeded',
    'metadata', jsonb_build_object('refundId', ${refund.refundId}::text))`;
}
