import * as v from "valibot";
import { shipHoldSchema } from "../disputes/dispute.ts";
import type { AdminOrder } from "./admin-order.ts";
import { sameAddressSchema } from "./admin-orders.ts";
import { deliverySchema, shipmentSchema } from "./order.ts";
import { findFollowUp, followUpSchema } from "./replacement.ts";

/** An order for packers: address and content, without amounts and the buyer's e-mail address. */
export const packingSchema = v.object({
  id: v.string(),
  number: v.number(),
  createdAt: v.string(),
  ...deliverySchema.entries,
  /** Why its phone number may be incomplete; null if it looks complete. */
  phoneDoubt: v.nullable(v.string()),
  isTest: v.boolean(),
  /** Null if it is neither a replacement nor the new order of an exchange. */
  followUp: v.nullable(followUpSchema),
  /** Whether its shipping option is faster than another one of its zone. */
  isExpedited: v.boolean(),
  /** Other orders that wait to be shipped to the same person at the same address. */
  sameAddress: v.array(sameAddressSchema),
  items: v.array(
    v.object({
      productId: v.number(),
      name: v.string(),
      /** The product's current SKU; null if there is none. */
      sku: v.nullable(v.string()),
      image: v.nullable(v.string()),
      quantity: v.number(),
      /** Units not shipped yet. */
      toShip: v.number(),
      batches: v.array(v.object({ code: v.string(), bestBefore: v.string(), quantity: v.number() })),
    }),
  ),
  shipments: v.array(shipmentSchema),
  /** Null if it can ship. */
  shipHold: v.nullable(shipHoldSchema),
  /** Whether the order or a part of it may ship now. */
  mayShip: v.boolean(),
});
export type Packing = v.InferOutput<typeof packingSchema>;
export type PackingItem = Packing["items"][number];

/**
 * The next order to pack, its place in the queue (from 1, or 0 if there is none) and the number of waiting orders, both up to 100.
 */
export const packingQueueSchema = v.object({
  next: v.nullable(packingSchema),
  position: v.number(),
  waiting: v.number(),
});
export type PackingQueue = v.InferOutput<typeof packingQueueSchema>;

export function toPacking(order: AdminOrder): Packing {
  const { id, number, createdAt, isTest, isExpedited, sameAddress, shipments, shipHold } = order;
  return {
    id,
    number,
    createdAt,
    ...v.parse(deliverySchema, order),
    phoneDoubt: order.phoneDoubt,
    isTest,
    followUp: findFollowUp(order),
    isExpedited,
    sameAddress,
    shipments,
    shipHold,
    items: order.items.map(({ productId, name, sku, image, quantity, toShip, batches }) => ({
      productId,
      name,
      sku,
      image,
      quantity,
      toShip,
      batches,
    })),
    mayShip: order.may.ship,
  };
}

/**
 * Items of a shipped parcel, by its id; without an id, the units not shipped yet, or the last parcel's if there are none.
 * Empty if the order must not ship.
 */
export function itemsToPack({ items, shipments, mayShip }: Packing, shipmentId?: string): PackingItem[] {
  const parcel = shipmentId
    ? shipments.find(({ id }) => id === shipmentId)
    : mayShip
      ? null
      : shipments.at(-1);
  if (parcel === undefined) return [];
  return items.flatMap((item) => {
    const quantity = parcel
      ? (parcel.items.find(({ productId }) => productId === item.productId)?.quantity ?? 0)
      : item.toShip;
    return quantity > 0 ? [{ ...item, quantity }] : [];
  });
}
