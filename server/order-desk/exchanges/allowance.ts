import { createHash, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Refundable } from "../../../domain/orders/line-refund.ts";
import type { Order } from "../../../domain/orders/order.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { readRefundable } from "../../payments/refunds/refundable.ts";
import type { Db } from "../../platform/database/database.ts";
import { orderExchanges } from "../tables.ts";

export type Units = { productId: number; quantity: number };

/** Why a replacement or exchange (a follow-up order) was refused. `available`: units in stock by product id. */
export type FollowUpRefusal =
  | { ok: false; code: "state"; reason: string }
  | { ok: false; code: "input"; fields: Record<string, string> }
  | { ok: false; code: "stock"; available: Record<string, number> };

/** Thrown to roll back the transaction of `inTransactionOrRefusal`, which returns its refusal. */
export class FollowUpRefused extends Error {
  readonly refusal: FollowUpRefusal;
  constructor(refusal: FollowUpRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** Runs `work` in a transaction. If it throws `FollowUpRefused`, rolls back and returns the refusal. */
export async function inTransactionOrRefusal<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
): Promise<T | FollowUpRefusal> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (error instanceof FollowUpRefused) return error.refusal;
    throw error;
  }
}

/** Why an order's units can be neither replaced nor exchanged now; null if they can. */
export function followUpProblem(
  { status, cancelledAt, erasedAt }: Pick<Order, "status" | "cancelledAt" | "erasedAt">,
  shipHold: LockedOrder["shipHold"],
): string | null {
  if (status === "pending" || status === "cancelled") return "This order has not been paid.";
  if (cancelledAt !== null) return "This order has been cancelled.";
  if (status === "refunded") return "All of this order has been refunded.";
  if (erasedAt !== null) return "The buyer’s data of this order was deleted at their request.";
  if (shipHold === "dispute") return "The buyer’s bank disputes this order.";
  if (shipHold === "refund") return "All of this order is being refunded.";
  return null;
}

/**
 * Units of an order that may still be replaced or exchanged: units bought and not refunded, less the units that replacements and
 * exchanges have sent or reserved. `total` limits the sum over all products, because refunds by amount reduce it without naming
 * products. The caller holds the order's lock.
 */
export async function readAllowance(
  tx: Db,
  orderId: string,
): Promise<{ total: number; byProduct: ReadonlyMap<number, number> }> {
  const refundable = await readRefundable(tx, orderId);
  const { rows } = await tx.execute<{
    product_id: number | null;
    used_units: number;
    sent_units: number;
    returned_units: number;
  }>(sql`
    with follow_ups as (
      select o.id, null::jsonb as returned, false as is_settled from ${orders} as o
      where o.replaces_id = ${orderId} and o.cancelled_at is null and o.status <> 'cancelled'
      union all
      select o.id, x.returned, o.status <> 'pending' from ${orderExchanges} as x join ${orders} as o on o.id = x.new_order_id
      where x.order_id = ${orderId} and o.cancelled_at is null and o.status <> 'cancelled'
    ), units as (
      select l.product_id, case when f.returned is null then l.quantity else 0 end as used, l.quantity as sent, 0 as returned
      from follow_ups as f join ${orderLines} as l on l.order_id = f.id
      union all
      -- Units returned in a settled exchange are already subtracted as refunded.
      select u."productId", case when f.is_settled then 0 else u.quantity end, 0,
        case when f.is_settled then u.quantity else 0 end
      from follow_ups as f cross join lateral jsonb_to_recordset(f.returned) as u("productId" int, quantity int)
    )
    select product_id, sum(used)::int as used_units, sum(sent)::int as sent_units, sum(returned)::int as returned_units
    from units group by product_id`);
  const sum = (column: "sent_units" | "returned_units") =>
    rows.reduce((units, row) => units + row[column], 0);
  const lines = refundable?.lines ?? [];
  const refundableUnits =
    lines.reduce((units, line) => units + line.units, 0) -
    (refundable ? unitsRefundedByAmount(refundable) : 0);
  const usedUnits = new Map(rows.map((row) => [row.product_id, row.used_units]));
  return {
    total: refundableUnits + sum("returned_units") - sum("sent_units"),
    byProduct: new Map(
      lines.map(({ productId, units }) => [productId, units - (usedUnits.get(productId) ?? 0)]),
    ),
  };
}

/** Number of whole units that refunds by amount would pay for at the price of the cheapest line. */
function unitsRefundedByAmount({ goods, lines }: Refundable): number {
  const cents = lines.reduce((sum, line) => sum + line.goods, 0) - goods;
  return Math.max(
    0,
    ...lines.map((line) => (line.goods === 0 ? 0 : Math.floor((cents * line.units) / line.goods))),
  );
}

/** Messages by field for the units that exceed the `allowed` number of their product. */
export function unitsProblems(
  units: readonly Units[],
  field: "items" | "returned",
  allowed: ReadonlyMap<number, number>,
): Record<string, string> {
  return Object.fromEntries(
    units.flatMap(({ productId, quantity }, index) => {
      const remaining = Math.max(0, allowed.get(productId) ?? 0);
      if (quantity <= remaining) return [];
      return [
        [
          `${field}.${index}.quantity`,
          remaining === 0
            ? "All units of this product have already been refunded, replaced or exchanged"
            : `Only ${remaining} ${remaining === 1 ? "unit has" : "units have"} not been refunded, replaced or exchanged yet`,
        ],
      ];
    }),
  );
}

/** A version 8 UUID (RFC 9562) derived from the Idempotency-Key, so that a repeated call finds its row; random without a key. */
export function idForKey(scope: readonly string[], idempotencyKey: string | null): string {
  if (idempotencyKey === null) return randomUUID();
  const hex = createHash("sha256")
    .update(JSON.stringify([...scope, idempotencyKey]))
    .digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function hashRequest(request: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(request)).digest();
}

export const keyReusedMessage = "This Idempotency-Key was used for another request.";
