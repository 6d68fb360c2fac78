import { createHash, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Order } from "../../../domain/orders/order.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { readRefundable } from "../../payments/refunds/refundable.ts";
import type { Db } from "../../platform/database/database.ts";
import { orderExchanges } from "../tables.ts";

export type Units = { productId: number; quantity: number };

/** `stock`: the available units of the products that are short. */
export type FollowUpRefusal =
  | { ok: false; because: "state"; reason: string }
  | { ok: false; because: "input"; fields: Record<string, string> }
  | { ok: false; because: "stock"; available: Record<string, number> };

/** Thrown to roll back; the caller answers with its refusal. */
export class FollowUpRefused extends Error {
  readonly refusal: FollowUpRefusal;
  constructor(refusal: FollowUpRefusal) {
    super(refusal.because);
    this.refusal = refusal;
  }
}

/** Runs a transaction. One that throws `FollowUpRefused` is rolled back, and its refusal is returned. */
export async function orRefusal<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T | FollowUpRefusal> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (error instanceof FollowUpRefused) return error.refusal;
    throw error;
  }
}

/** Why an order gets neither a replacement nor an exchange now, as a sentence; null: it may. */
export function followUpProblem(
  { status, cancelledAt, erasedAt }: Pick<Order, "status" | "cancelledAt" | "erasedAt">,
  shipHold: LockedOrder["shipHold"],
): string | null {
  if (status === "pending" || status === "cancelled") return "This order has not been paid.";
  if (cancelledAt !== null) return "This order has been cancelled.";
  if (erasedAt !== null) return "The buyer’s data of this order was deleted at their request.";
  if (shipHold === "dispute") return "The buyer’s bank disputes this order.";
  if (shipHold === "refund") return "All of this order is being refunded.";
  return null;
}

/**
 * Units of an order that may still be replaced or exchanged: those bought and not refunded, less what replacements and exchanges
 * have given out or promised. `all` limits the units given out in all, whatever product they are of. The caller holds the order's
 * lock.
 */
export async function readAllowance(
  tx: Db,
  orderId: string,
): Promise<{ all: number; of: ReadonlyMap<number, number> }> {
  const refundable = await readRefundable(tx, orderId);
  const { rows } = await tx.execute<{
    product_id: number | null;
    kept: number;
    out: number;
    back: number;
  }>(sql`
    with made as (
      select o.id, null::jsonb as returned, false as is_settled from ${orders} as o
      where o.replaces_id = ${orderId} and o.cancelled_at is null and o.status <> 'cancelled'
      union all
      select o.id, x.returned, o.status <> 'pending' from ${orderExchanges} as x join ${orders} as o on o.id = x.new_order_id
      where x.order_id = ${orderId} and o.cancelled_at is null and o.status <> 'cancelled'
    ), units as (
      select l.product_id, case when made.returned is null then l.quantity else 0 end as kept, l.quantity as out, 0 as back
      from made join ${orderLines} as l on l.order_id = made.id
      union all
      -- Settled exchanges count as refunds of what came back, and are no longer among the refundable units.
      select u."productId", case when made.is_settled then 0 else u.quantity end, 0,
        case when made.is_settled then u.quantity else 0 end
      from made cross join lateral jsonb_to_recordset(made.returned) as u("productId" int, quantity int)
    )
    select product_id, sum(kept)::int as kept, sum(out)::int as out, sum(back)::int as back from units group by product_id`);
  const sum = (of: "out" | "back") => rows.reduce((units, row) => units + row[of], 0);
  const lines = refundable?.lines ?? [];
  const left = lines.reduce((units, line) => units + line.units, 0);
  const kept = new Map(rows.map((row) => [row.product_id, row.kept]));
  return {
    all: left + sum("back") - sum("out"),
    of: new Map(lines.map(({ productId, units }) => [productId, units - (kept.get(productId) ?? 0)])),
  };
}

/** Problems with units of the order that are to be replaced or come back, by field. */
export function unitsProblems(
  units: readonly Units[],
  field: "items" | "returned",
  of: ReadonlyMap<number, number>,
): Record<string, string> {
  return Object.fromEntries(
    units.flatMap(({ productId, quantity }, index) => {
      const left = Math.max(0, of.get(productId) ?? 0);
      if (quantity <= left) return [];
      return [
        [
          `${field}.${index}.quantity`,
          left === 0
            ? "Nothing of it is left that was bought and not refunded, replaced or exchanged"
            : `Only ${left} of it ${left === 1 ? "was" : "were"} bought and not refunded, replaced or exchanged`,
        ],
      ];
    }),
  );
}

export function countUnits(units: readonly Units[]): number {
  return units.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Version 8 UUID (RFC 9562) by which a repeat with the same Idempotency-Key finds what the first call wrote; random without a key. */
export function idOfKey(scope: readonly string[], idempotencyKey: string | null): string {
  if (idempotencyKey === null) return randomUUID();
  const hex = createHash("sha256")
    .update(JSON.stringify([...scope, idempotencyKey]))
    .digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function hashOf(request: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(request)).digest();
}

export const usedKey = "This Idempotency-Key was used for another request.";
