import { randomUUID } from "node:crypto";
import { eq, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { UsedBundle } from "../../domain/catalog/bundles.ts";
import type { OrderAmounts } from "../../domain/checkout/included-tax.ts";
import { joinAddress, type ShippingAddress } from "../../domain/orders/order.ts";
import type { Source } from "../../domain/orders/source.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { countryName } from "../../domain/shared/country.ts";
import { pick } from "../../domain/shared/pick.ts";
import type { Arrival } from "../../domain/shipping/arrival.ts";
import { takeUse, type UseResult } from "../discounts/uses.ts";
import { isOutOfStock, reserve, reserveCall } from "../inventory/commands.ts";
import {
  compiledStatement,
  insertFromJson,
  type Placeholders,
  queryBuilder,
} from "../platform/database/compiled-statement.ts";
import { type Database, type Db, hasState } from "../platform/database/database.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { rememberVisitor, rememberVisitorSql } from "../visitors/commands.ts";
import type { OrderEntries } from "./entries.ts";
import type { OrderRow } from "./lifecycle.ts";
import { orderEvents, orderLines, orders, orderVisitors } from "./tables.ts";
import { orderEventValues } from "./transition.ts";

/** Columns of an order that checkout needs after writing or finding it. */
export type PlacedOrder = Pick<
  OrderRow,
  | "id"
  | "number"
  | "visitorId"
  | "status"
  | "email"
  | "mode"
  | "customerName"
  | "shippingAddress"
  | "shipping"
  | "byWallet"
  | "currency"
  | "subtotalCents"
  | "discountCents"
  | "shippingCents"
  | "taxCents"
  | "totalCents"
  | "withTax"
  | "requestHash"
  | "createdAt"
  | "expiresAt"
>;

export type NewOrder = {
  visitorId: VisitorId;
  /** The caller's network (`networkPrefix`). */
  buyerNetwork: string;
  entries: OrderEntries;
  byWallet: boolean;
  shippingOption: { id: string; name: string };
  /** Dates promised to the buyer. */
  arrival: Arrival;
  source: Source | null;
  /** Discount whose use is counted with the order, within its limits. */
  discount: { id: number; code: string; personalCode: string | null; automatic: boolean } | null;
  givingPercent: number;
  /** Mode of the provider that processes the payment. */
  mode: PaymentMode;
  lines: {
    productId: number;
    name: string;
    image: string | null;
    quantity: number;
    unitPriceCents: number;
    bundleSavingCents: number;
    bundles: UsedBundle[];
    discountCents: number;
    taxCents: number;
  }[];
  currency: string;
  amounts: OrderAmounts;
  idempotencyKey: Buffer | null;
  requestHash: Buffer;
  now: Date;
  reservationSeconds: number;
};

type CreatedOrder = { ok: true; order: PlacedOrder } | { ok: false; reason: Refusal | "duplicate" };

/**
 * Writes pending orders together with their first payments; `payment` is a query that inserts the payment and returns a row. The
 * refusal is `duplicate` if an order with this idempotency key exists, or a pending order of the visitor with the same request;
 * `gone`, `used_up`, `used_by_customer` and `not_first_order` say why the discount cannot be used.
 */
export function orderWriter<Payment extends object>(
  payment: (values: Placeholders<Payment>, orderId: Placeholder) => SQLWrapper,
) {
  const insert = orderInsert(payment, (placed) => sql`select number from ${placed}`);
  // The condition makes PostgreSQL write all rows before it reserves stock, for which the statement may have to wait.
  const insertAndReserve = orderInsert(
    payment,
    (placed, id) => sql`select number, ${reserveCall(id)} from ${placed}
      where (select count(*) from (select from lines union all select from visitor union all select from first_event
        union all select from payment) as row) > 0`,
  );
  return {
    /**
     * Writes an order, takes a use of its discount and reserves its units up to the reserved share
     * (docs/decisions/0003-order-before-payment.md), or does none of this. Without a discount, it is a single statement.
     */
    create: (db: Database, input: NewOrder, values: Payment): Promise<CreatedOrder> =>
      returningRefusals(() =>
        input.discount === null
          ? placeOrder(db, input, { insert: insertAndReserve, values })
          : db.transaction(async (tx) => {
              const order = await placeOrder(tx, input, { insert, values });
              await reserve(tx, order.id);
              return order;
            }),
      ),
    /**
     * `create` within the caller's transaction, which keeps the stock rows locked until it ends and can roll the order back.
     */
    createWithin: (tx: Db, input: NewOrder, values: Payment): Promise<CreatedOrder> =>
      returningRefusals(() =>
        tx.transaction(async (nested) => {
          const order = await placeOrder(nested, input, { insert, values });
          await reserve(nested, order.id);
          return order;
        }),
      ),
  };
}

async function returningRefusals(create: () => Promise<PlacedOrder>): Promise<CreatedOrder> {
  try {
    return { ok: true, order: await create() };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.reason };
    if (isOutOfStock(error)) return { ok: false, reason: "out_of_stock" };
    if (hasState(error, uniqueViolation, "orders")) return { ok: false, reason: "duplicate" };
    throw error;
  }
}

type Insert<Payment> = ReturnType<typeof orderInsert<Payment & object>>;

/**
 * One statement that writes an order with its lines, visitor, first event and payment, so that foreign keys are checked at its
 * end. A concurrent statement for the same request waits for the first one, and then fails as a duplicate.
 */
function orderInsert<Payment extends object>(
  payment: (values: Placeholders<Payment>, orderId: Placeholder) => SQLWrapper,
  result: (placed: SQL, orderId: Placeholder) => SQL,
) {
  type Input = {
    order: ReturnType<typeof orderValues>;
    /** JSON text. */
    lines: string;
    firstEvent: ReturnType<typeof orderEventValues>;
    payment: Payment;
  };
  return compiledStatement<Input, { number: number }>(({ order, lines, firstEvent, payment: values }) => {
    const { id, visitorId, createdAt } = order;
    return sql`
      with remembered as (${rememberVisitorSql(visitorId, createdAt)}),
        placed as ${queryBuilder.insert(orders).values(order).returning({ number: orders.number })},
        lines as (${insertFromJson(orderLines, lineColumns, lines)} returning 1),
        visitor as ${queryBuilder.insert(orderVisitors).values({ visitorId, orderId: id }).returning()},
        first_event as ${queryBuilder.insert(orderEvents).values(firstEvent).returning()},
        payment as ${payment(values as Placeholders<Payment>, id)}
      ${result(sql`placed`, id)}`;
  });
}

const lineColumns = [
  "orderId",
  "position",
  "productId",
  "name",
  "image",
  "quantity",
  "unitPriceCents",
  "bundleSavingCents",
  "bundles",
  "discountCents",
  "taxCents",
] as const;

function orderValues(input: NewOrder) {
  return {
    id: randomUUID(),
    ...pick(
      input,
      "visitorId",
      "buyerNetwork",
      "currency",
      "byWallet",
      "source",
      "givingPercent",
      "mode",
      "idempotencyKey",
      "requestHash",
    ),
    ...input.entries,
    shippingOptionId: input.shippingOption.id,
    shippingOptionName: input.shippingOption.name,
    arrivesFrom: input.arrival.earliest,
    arrivesUntil: input.arrival.latest,
    discountCode: input.discount?.code ?? null,
    ...input.amounts,
    reusable: input.idempotencyKey === null,
    createdAt: input.now,
    status: "pending" as const,
    expiresAt: new Date(input.now.getTime() + input.reservationSeconds * 1000),
  };
}

async function placeOrder<Payment>(
  db: Db,
  input: NewOrder,
  { insert, values: payment }: { insert: Insert<Payment>; values: Payment & object },
): Promise<PlacedOrder> {
  const values = orderValues(input);
  const { id: orderId } = values;
  const lines = input.lines.map((line, position) => ({ ...line, orderId, position }));
  const [row] = await insert(db, {
    order: values,
    lines: JSON.stringify(lines),
    firstEvent: orderEventValues({
      orderId,
      from: null,
      to: "pending",
      actor: "shopper",
      note: null,
      now: input.now,
    }),
    payment,
  });
  if (!row) throw new Error("an inserted order returned no number");
  if (input.discount) {
    const use = {
      discountId: input.discount.id,
      personalCode: input.discount.personalCode,
      orderId,
      email: input.entries.email,
      mode: input.mode,
      now: input.now,
    };
    const result = await takeUse(db, use);
    if (result !== "taken") throw new Refused(result);
  }
  return { ...values, number: row.number };
}

const uniqueViolation = "23505";

type Refusal = "out_of_stock" | Exclude<UseResult, "taken">;

/** Thrown to roll the order back; caught in this file. */
class Refused extends Error {
  readonly reason: Exclude<UseResult, "taken">;
  constructor(reason: Exclude<UseResult, "taken">) {
    super(reason);
    this.reason = reason;
  }
}

/** Lets another browser see an order. */
export async function allowVisitor(
  db: Db,
  { orderId, visitorId, now }: { orderId: string; visitorId: VisitorId; now: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    await rememberVisitor(tx, visitorId, now);
    await tx.insert(orderVisitors).values({ orderId, visitorId }).onConflictDoNothing();
  });
}

/**
 * Lets a browser see all orders of an e-mail address whose ownership it has proved. Waits for a concurrent correction of the
 * address, which could otherwise not detach this browser.
 */
export async function attachOrdersByEmail(
  tx: Db,
  { email, visitorId, now }: { email: string; visitorId: VisitorId; now: Date },
): Promise<void> {
  await rememberVisitor(tx, visitorId, now);
  await tx.execute(sql`
    insert into order_visitors (visitor_id, order_id)
    select ${visitorId}, ${orders.id} from ${orders} where lower(${orders.email}) = lower(${email})
    order by ${orders.id} for share on conflict do nothing`);
}

/** Hides an order from browsers that did not place it, such as one that proved a former, mistyped e-mail address. */
export async function detachOtherVisitors(tx: Db, orderId: string): Promise<void> {
  await tx.execute(sql`delete from ${orderVisitors} using ${orders} where ${orders.id} = ${orderId}
    and order_visitors.order_id = ${orders.id} and order_visitors.visitor_id is distinct from ${orders.visitorId}`);
}

/** Corrects the contact of an order and, unless `shipping` is null, its address. Without `email`, the e-mail address stays. */
export async function updateContact(
  tx: Db,
  orderId: string,
  contact: { customerName: string; phone: string | null; email?: string; shipping: ShippingAddress | null },
): Promise<void> {
  const { shipping, ...person } = contact;
  const address = shipping && {
    shipping,
    shippingAddress: joinAddress(shipping, countryName(shipping.country) ?? ""),
  };
  await tx
    .update(orders)
    .set({ ...person, ...address })
    .where(eq(orders.id, orderId));
}

/** Whether and why the owner has put an order on hold. */
type OwnerHold = Pick<OrderRow, "heldAt" | "holdReason">;

/** Throws if the order does not exist. */
export async function readOwnerHold(tx: Db, orderId: string): Promise<OwnerHold> {
  const [hold] = await tx
    .select({ heldAt: orders.heldAt, holdReason: orders.holdReason })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!hold) throw new Error(`order ${orderId} is missing`);
  return hold;
}

/** The caller holds the order's lock, and calls `updateShipHold` afterwards. */
export async function setOwnerHold(tx: Db, orderId: string, hold: OwnerHold): Promise<void> {
  await tx.update(orders).set(hold).where(eq(orders.id, orderId));
}

/**
 * Copies the last parcel to its order's row. `partlyShippedAt` is the time of shipment if further parcels follow; a time that is
 * already stored is kept. Null clears a time; without a value, the time stays unchanged.
 */
export async function setLastParcel(
  tx: Db,
  orderId: string,
  parcel: Pick<OrderRow, "carrier" | "trackingNumber"> & { partlyShippedAt?: Date | null; shippedAt?: null },
): Promise<void> {
  const { partlyShippedAt: at, ...columns } = parcel;
  const partlyShippedAt = at && sql`coalesce(${orders.partlyShippedAt}, ${at.toISOString()})`;
  await tx
    .update(orders)
    .set({ ...columns, partlyShippedAt })
    .where(eq(orders.id, orderId));
}
