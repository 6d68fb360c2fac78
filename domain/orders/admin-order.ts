import * as v from "valibot";
import type { Dispute, IssueFacts, ShipHold } from "../payments/dispute.ts";
import type { PaymentMode } from "../payments/payment-mode.ts";
import type { Order, OrderItem, PaymentState, Refund } from "./order.ts";

/** An order as the owner sees it, with what can be done with it now. Amounts in cents, times ISO 8601 UTC. */
export type AdminOrder = Omit<Order, "items" | "refunds" | "payment"> & {
  items: AdminOrderItem[];
  /** Oldest first. */
  refunds: AdminRefund[];
  /** Oldest first. */
  disputes: Dispute[];
  /** Why it ships only with a reason given; null: it ships like any other. */
  shipHold: ShipHold | null;
  /** It was placed in test mode, and the shop takes real money by now. */
  isTest: boolean;
  /** What waits for the owner, in one line; null: nothing. */
  needsAttention: string | null;
  /** The same, issue by issue, oldest first. */
  attention: (IssueFacts & { id: number; kind: string; message: string; createdAt: string })[];
  /** Newest first. */
  notes: OrderNote[];
  /** What `payment` is in the order that its buyer sees. */
  paymentState: PaymentState;
  /** Null: none was ever opened. */
  payment: OrderPayment | null;
  /** What can still be given back: what was paid, less what was given back or is on its way. */
  refundableCents: number;
  may: AdminOrderActions;
};

export type AdminOrderItem = OrderItem & {
  /** Units that came back to the shelf. */
  returned: number;
  /** Which batches its units came from; none: not sold yet, or never counted in batches. */
  batches: { code: string; bestBefore: string; quantity: number }[];
};

export type AdminRefund = Refund & {
  /** Why the provider or the bank refused it, in their words. */
  failure: string | null;
  /** When it succeeded. */
  settledAt: string | null;
  /** Where it was asked for: here, or in the provider's own dashboard. */
  origin: "shop" | "provider";
};

export type OrderNote = { id: number; at: string; text: string };

export type OrderPayment = {
  intentId: string | null;
  provider: "stripe" | "sandbox";
  /** Null: not known. */
  mode: PaymentMode | null;
  /** Whether the shop's present keys are those it was made with: else it is refunded elsewhere. */
  isConnected: boolean;
  status: "requires_payment" | "processing" | "succeeded" | "canceled";
  amountCents: number;
  /** The payment in the provider's own dashboard; null where there is none. */
  dashboardUrl: string | null;
};

export type AdminOrderActions = {
  ship: boolean;
  /** Correct carrier and tracking number. */
  correctParcel: boolean;
  deliver: boolean;
  refund: boolean;
  /** Put units that came back on the shelf, with a refund or without. */
  restock: boolean;
  cancel: boolean;
  resendConfirmation: boolean;
};

/** What the owner may do with an order now. Every command asks this again while it holds the order's lock. */
export function adminOrderActions(order: AdminOrderFacts): AdminOrderActions {
  const { status, fulfilment, cancelledAt, allBackAt } = order;
  const isHeld = status === "completed" || status === "partially_refunded";
  const isHere = fulfilment === null && cancelledAt === null && order.erasedAt === null;
  return {
    ship: isHeld && isHere && allBackAt === null,
    correctParcel: fulfilment !== null && order.erasedAt === null,
    deliver:
      fulfilment !== null &&
      fulfilment.deliveredAt === null &&
      (status === "shipped" || status === "partially_refunded"),
    refund: order.refundableCents > 0 && order.payment?.isConnected === true,
    restock: wasSold(order) && order.items.some(isOut),
    cancel: (isHeld || (status === "pending" && order.paymentState !== "processing")) && isHere,
    resendConfirmation: wasSold(order) && order.erasedAt === null,
  };
}

export type AdminOrderFacts = Pick<
  AdminOrder,
  | "status"
  | "fulfilment"
  | "cancelledAt"
  | "allBackAt"
  | "erasedAt"
  | "events"
  | "items"
  | "refundableCents"
  | "payment"
  | "paymentState"
>;

function isOut({ quantity, returned }: Pick<AdminOrderItem, "quantity" | "returned">): boolean {
  return returned < quantity;
}

/** What belongs into an order's parcel: units that are back on the shelf stay there. None: it is not to be shipped. */
export function itemsToPack({
  items,
  fulfilment,
  may,
}: Pick<AdminOrder, "items" | "fulfilment" | "may">): AdminOrderItem[] {
  // Printed once more after it left: what came back since was in it.
  if (fulfilment !== null) return items;
  if (!may.ship) return [];
  return items.filter(isOut).map((item) => ({ ...item, quantity: item.quantity - item.returned }));
}

/** A payment that could only be given back again never completed its order: none of its units left the shelf. */
function wasSold({ events }: Pick<Order, "events">): boolean {
  return events.some(({ to }) => to === "completed");
}

/** Units that came back to the shelf: everything that is still out, or some of it. */
const restockSchema = v.union(
  [
    v.literal("all"),
    v.pipe(
      v.array(
        v.object({
          productId: v.pipe(v.number("Must be a number"), v.integer("Must be a whole number")),
          quantity: v.pipe(
            v.number("Must be a number"),
            v.integer("Must be a whole number"),
            v.minValue(1, "Must be 1 or more"),
            v.maxValue(99, "Must be 99 or less"),
          ),
        }),
      ),
      v.minLength(1, "Name at least one product"),
      v.check(
        (units) => new Set(units.map(({ productId }) => productId)).size === units.length,
        "Name each product once",
      ),
    ),
  ],
  'Must be "all" or a list of products and quantities',
);
export type Restock = v.InferOutput<typeof restockSchema>;

export const restockRequestSchema = v.object({ restock: restockSchema });

const reasonSchema = v.pipe(
  v.string("Must be text"),
  v.trim(),
  v.maxLength(500, "Use at most 500 characters"),
  v.transform((text) => text || null),
);

/** `amount` in cents; missing: all that is left. `reason` is kept with the refund, which its buyer can read. */
export const refundRequestSchema = v.object({
  amount: v.optional(
    v.nullable(
      v.pipe(
        v.number("Must be a number of cents"),
        v.integer("Must be a whole number of cents"),
        v.minValue(1, "Must be more than nothing"),
        v.maxValue(2_147_483_647, "Is more than any order"),
      ),
    ),
    null,
  ),
  reason: v.optional(v.nullable(reasonSchema), null),
  restock: v.optional(v.nullable(restockSchema), null),
});

/** `reason` is told to the buyer. `restock` is for units of a paid order; those of an unpaid one are free at once. */
export const cancelRequestSchema = v.object({
  reason: v.optional(v.nullable(reasonSchema), null),
  restock: v.optional(v.boolean("Must be true or false"), true),
});

export const noteSchema = v.object({
  text: v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.minLength(1, "Write something"),
    v.maxLength(2000, "Use at most 2,000 characters"),
  ),
});

const line = (max: number) =>
  v.pipe(
    v.string("Must be text"),
    v.trim(),
    v.minLength(1, "Is required"),
    v.maxLength(max, `Use at most ${max} characters`),
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Use one line"),
  );

/** How a parcel can be followed. */
export const parcelSchema = v.object({ carrier: line(60), trackingNumber: line(60) });
export type Parcel = v.InferOutput<typeof parcelSchema>;

/**
 * A parcel that is to leave. `force` with a `reason`: although the order is held back (`shipHold`); other orders need neither.
 */
export const shipmentSchema = v.object({
  ...parcelSchema.entries,
  force: v.optional(v.boolean("Must be true or false"), false),
  reason: v.optional(v.nullable(reasonSchema), null),
});
export type Shipment = v.InferOutput<typeof shipmentSchema>;

/** Orders shipped in one call. */
export const shipTogetherMax = 100;

/**
 * What became of each order that was to be shipped, in the order they were named. `shipHold`: why it was held back, and shipped
 * all the same, or not.
 */
export type ShipResult =
  | { id: string; ok: true; number: number; shipHold?: ShipHold }
  | { id: string; ok: false; number: number | null; reason: string; shipHold?: ShipHold };

/** What a refund call answers: the order as it is now, and the refund that was asked for. */
export type RefundAnswer = AdminOrder & { refund: AdminRefund };
