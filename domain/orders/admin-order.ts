import * as v from "valibot";
import { disputeSchema, issueFactsSchema, shipHoldSchema } from "../disputes/dispute.ts";
import { paymentModeSchema } from "../payments/payment-mode.ts";
import { paymentSources } from "../payments/providers.ts";
import { areProductsUnique, unitsOfProduct, wholeCents } from "../shared/number-fields.ts";
import { oneLine, optionalText } from "../shared/required-text.ts";
import { uuidSchema } from "../shared/uuid.ts";
import { sameAddressSchema } from "./admin-orders.ts";
import { refundableSchema, refundedLineSchema } from "./line-refund.ts";
import {
  orderEventSchema,
  orderItemSchema,
  orderSchema,
  paymentStateSchema,
  refundSchema,
  wasSold,
} from "./order.ts";
import { orderEditSchema } from "./order-edit.ts";
import { sourceSchema } from "./source.ts";

const adminOrderItemSchema = v.object({
  ...orderItemSchema.entries,
  /** Amount paid for the whole line: after bundles and discount, with tax. Cents. */
  paid: v.number(),
  /** The product's current SKU; null if there is none. */
  sku: v.nullable(v.string()),
  /** Restocked units. */
  returned: v.number(),
  /** Units not shipped yet. */
  toShip: v.number(),
  /** Batches of its units; empty if they are not sold yet, or stock is not counted in batches. */
  batches: v.array(v.object({ code: v.string(), bestBefore: v.string(), quantity: v.number() })),
});
export type AdminOrderItem = v.InferOutput<typeof adminOrderItemSchema>;

const adminRefundSchema = v.object({
  ...refundSchema.entries,
  /** The provider's or bank's reason for refusing it. */
  failure: v.nullable(v.string()),
  /** When the refund succeeded. */
  settledAt: v.nullable(v.string()),
  /** Whether the refund was requested in the panel or in the provider's dashboard. */
  origin: v.picklist(["shop", "provider"]),
  /** An amount that an edit exchanged for other items; no refund is made. */
  isExchange: v.boolean(),
  /** The amount's split into goods, shipping and tax. */
  goods: v.number(),
  shipping: v.number(),
  tax: v.number(),
  /** Refunded units, if it was requested by line. */
  items: v.array(refundedLineSchema),
});
export type AdminRefund = v.InferOutput<typeof adminRefundSchema>;

export const orderNoteSchema = v.object({ id: v.number(), at: v.string(), text: v.string() });
export type OrderNote = v.InferOutput<typeof orderNoteSchema>;

const orderPaymentSchema = v.object({
  intentId: v.nullable(v.string()),
  provider: v.picklist(paymentSources),
  /** Null if unknown. */
  mode: v.nullable(paymentModeSchema),
  /** Whether the current API keys can access it; otherwise it has to be refunded in the other account. */
  isConnected: v.boolean(),
  /** Whether it, or the payment that an exchange took its money from, was paid outside the shop, which only records refunds. */
  isManual: v.boolean(),
  status: v.picklist(["requires_payment", "processing", "succeeded", "canceled"]),
  amountCents: v.number(),
  /** The payment in the provider's dashboard; null if there is none. */
  dashboardUrl: v.nullable(v.string()),
  paidAt: v.nullable(v.string()),
  /** The order edit that it pays; null if it pays the order. */
  changeId: v.nullable(v.string()),
});
export type OrderPayment = v.InferOutput<typeof orderPaymentSchema>;

const adminOrderActionsSchema = v.object({
  ship: v.boolean(),
  /** Correct carrier and tracking number. */
  correctParcel: v.boolean(),
  deliver: v.boolean(),
  refund: v.boolean(),
  /** Restock returned units, with a refund or without. */
  restock: v.boolean(),
  cancel: v.boolean(),
  resendConfirmation: v.boolean(),
  /** Add or remove items. */
  editItems: v.boolean(),
});
export type AdminOrderActions = v.InferOutput<typeof adminOrderActionsSchema>;

/** An order in the panel, with the actions possible now. Amounts in cents, times ISO 8601 UTC. */
export const adminOrderSchema = v.object({
  ...orderSchema.entries,
  /** Why its phone number looks wrong; null if it does not, or there is none. */
  phoneDoubt: v.nullable(v.string()),
  items: v.array(adminOrderItemSchema),
  /** `by`: name of the person in the panel; null if there is none. */
  events: v.array(v.object({ ...orderEventSchema.entries, by: v.nullable(v.string()) })),
  /** Oldest first. */
  refunds: v.array(adminRefundSchema),
  /** Oldest first. */
  disputes: v.array(disputeSchema),
  /** Null if it can ship. */
  shipHold: v.nullable(shipHoldSchema),
  /** The owner's hold; null if there is none. */
  hold: v.nullable(v.object({ since: v.string(), reason: v.nullable(v.string()) })),
  tags: v.array(v.string()),
  /** Where the buyer came from; null if unknown. */
  source: v.nullable(sourceSchema),
  /** Required by `PATCH .../contact`; differs after every change of name, e-mail, phone or address. */
  contactVersion: v.string(),
  /** Whether it was placed in test mode, while the shop now accepts live payments. */
  isTest: v.boolean(),
  /** Whether its shipping option is faster than another one of its zone. */
  isExpedited: v.boolean(),
  /** Empty unless it can ship. */
  sameAddress: v.array(sameAddressSchema),
  /** The order's open issues in one line; null if there is none. */
  needsAttention: v.nullable(v.string()),
  /** The order's open issues, oldest first. */
  attention: v.array(
    v.object({
      ...issueFactsSchema.entries,
      id: v.number(),
      kind: v.string(),
      message: v.string(),
      createdAt: v.string(),
    }),
  ),
  /** Newest first. */
  notes: v.array(orderNoteSchema),
  /** The state of the payment, which the buyer's view calls `payment`. */
  paymentState: paymentStateSchema,
  /** Null if none was opened. */
  payment: v.nullable(orderPaymentSchema),
  /** Payments for its edits, oldest first; a late payment that was refunded in full is `canceled`. */
  changePayments: v.array(orderPaymentSchema),
  /** Cents refundable with the current keys: the paid amount less refunds (pending ones included) and chargebacks. */
  refundableCents: v.number(),
  /** The refundable amount by goods, shipping and tax, and by line. A dispute may withhold a part of it. */
  refundable: refundableSchema,
  /** The order's edits, newest first; a new edit names the version of the items that it is based on. */
  changes: v.array(orderEditSchema),
  itemsVersion: v.string(),
  may: adminOrderActionsSchema,
});
export type AdminOrder = v.InferOutput<typeof adminOrderSchema>;

/** Actions that the owner may take now. Commands check them again under the order's lock. */
export function adminOrderActions(order: AdminOrderFacts): AdminOrderActions {
  const { status, fulfilment, cancelledAt, allBackAt } = order;
  const isPaid = status === "completed" || status === "partially_refunded";
  const isOpen = fulfilment === null && cancelledAt === null && order.erasedAt === null;
  return {
    ship: isPaid && isOpen && allBackAt === null && order.items.some(({ toShip }) => toShip > 0),
    correctParcel: order.shipments.length > 0 && order.erasedAt === null,
    deliver:
      fulfilment !== null &&
      fulfilment.deliveredAt === null &&
      (status === "shipped" || status === "partially_refunded"),
    refund: order.refundableCents > 0,
    restock: wasSold(order) && order.items.some(({ quantity, returned }) => returned < quantity),
    cancel:
      (isPaid || (status === "pending" && order.paymentState !== "processing")) &&
      isOpen &&
      order.shipments.length === 0,
    resendConfirmation: wasSold(order) && order.erasedAt === null,
    editItems:
      order.replaces === null &&
      isPaid &&
      isOpen &&
      (order.shipHold === null || order.shipHold === "owner" || order.shipHold === "test") &&
      order.changes.every((edit) => edit.status !== "waiting"),
  };
}

type AdminOrderFacts = Pick<
  AdminOrder,
  | "status"
  | "fulfilment"
  | "replaces"
  | "shipments"
  | "cancelledAt"
  | "allBackAt"
  | "erasedAt"
  | "events"
  | "items"
  | "refundableCents"
  | "payment"
  | "paymentState"
  | "shipHold"
  | "changes"
>;

const unitsSchema = v.pipe(
  v.array(v.object(unitsOfProduct)),
  v.minLength(1, "Name at least one product"),
  v.check((units) => areProductsUnique(units), "List each product only once"),
);

/** Units to restock: all that are not back yet, or some of them. */
const restockSchema = v.union(
  [v.literal("all"), unitsSchema],
  'Must be "all" or a list of products and quantities',
);
export type Restock = v.InferOutput<typeof restockSchema>;

export const restockRequestSchema = v.object({ restock: restockSchema });

const maxOrderCents = 2_147_483_647;
const tooLargeMessage = "Is more than any order";

const refundedUnitsSchema = v.pipe(
  v.array(v.object({ ...unitsOfProduct, restock: v.optional(v.boolean("Must be true or false"), false) })),
  v.maxLength(100, "Name at most 100 products"),
  v.check((units) => areProductsUnique(units), "List each product only once"),
);

/**
 * `amount` in cents; if missing, all that is left. By line: `items` and `shipping` (cents), to which the shop adds their tax;
 * `restock` returns a line's units to stock. `reason` is stored with the refund and shown to the buyer. `returnId`: the open
 * return of the order that the refund settles.
 */
export const refundRequestSchema = v.pipe(
  v.object({
    amount: v.optional(
      v.nullable(wholeCents(1, "Must be more than nothing", maxOrderCents, tooLargeMessage)),
      null,
    ),
    items: v.optional(v.nullable(refundedUnitsSchema), null),
    shipping: v.optional(
      v.nullable(wholeCents(0, "Must not be below zero", maxOrderCents, tooLargeMessage)),
      null,
    ),
    reason: optionalText(500),
    restock: v.optional(v.nullable(restockSchema), null),
    returnId: v.optional(v.nullable(uuidSchema), null),
  }),
  v.forward(
    v.check(
      ({ amount, items, shipping }) => amount === null || (items === null && shipping === null),
      "Name an amount, or items and shipping",
    ),
    ["amount"],
  ),
  v.forward(
    v.check(
      ({ items, shipping, restock }) => restock === null || (items === null && shipping === null),
      "Mark the items that come back instead",
    ),
    ["restock"],
  ),
);

/** `reason` is sent to the buyer. `restock` applies to a paid order; units of an unpaid one are released immediately. */
export const cancelRequestSchema = v.object({
  reason: optionalText(500),
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
    oneLine,
  );

/** `trackingNumber` null if the parcel cannot be tracked. */
export const parcelSchema = v.object({ carrier: line(60), trackingNumber: v.nullable(line(60)) });
export type Parcel = v.InferOutput<typeof parcelSchema>;

/**
 * A parcel to ship. `lines`: its content; if missing, all units not shipped yet. `email`: whether to notify the buyer, with
 * `canUndo` only 10 s later, so that it can be undone. `shipmentId`: chosen by the caller, makes repeated calls one parcel.
 * `force` with a `reason`: ships despite a `shipHold`.
 */
export const shipmentSchema = v.object({
  ...parcelSchema.entries,
  lines: v.optional(v.nullable(unitsSchema), null),
  email: v.optional(v.boolean("Must be true or false"), true),
  canUndo: v.optional(v.boolean("Must be true or false"), false),
  shipmentId: v.optional(uuidSchema),
  force: v.optional(v.boolean("Must be true or false"), false),
  reason: optionalText(500),
});
export type Shipment = v.InferOutput<typeof shipmentSchema>;

/** Maximum number of orders in one call. */
export const maxBulkShipments = 100;

/**
 * Result for each order of a bulk shipment, in the order of the request. `shipHold`: the order's hold, overridden or not.
 */
export const shipResultSchema = v.variant("ok", [
  v.object({
    id: v.string(),
    ok: v.literal(true),
    number: v.number(),
    shipmentId: v.optional(v.string()),
    shipHold: v.optional(shipHoldSchema),
  }),
  v.object({
    id: v.string(),
    ok: v.literal(false),
    number: v.nullable(v.number()),
    reason: v.string(),
    shipHold: v.optional(shipHoldSchema),
  }),
]);
export type ShipResult = v.InferOutput<typeof shipResultSchema>;

export const trackingCheckSchema = v.object({
  numbers: v.pipe(
    v.array(v.pipe(v.string("Must be text"), v.maxLength(60, "Use at most 60 characters"))),
    v.maxLength(maxBulkShipments, `Name at most ${maxBulkShipments} numbers`),
  ),
});
/** A tracking number already in use, and the order that uses it. */
export const usedTrackingSchema = v.object({
  trackingNumber: v.string(),
  orderId: v.string(),
  number: v.number(),
});
export type UsedTracking = v.InferOutput<typeof usedTrackingSchema>;

/** Response of a refund call: the updated order and the refund. */
export const refundResponseSchema = v.object({ ...adminOrderSchema.entries, refund: adminRefundSchema });
