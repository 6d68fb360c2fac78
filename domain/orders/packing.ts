import * as v from "valibot";
import { shipHoldSchema } from "../payments/dispute.ts";
import type { AdminOrder } from "./admin-order.ts";
import { giftSchema, shipmentSchema, shippingAddressSchema } from "./order.ts";

/** An order for whoever packs it: where it goes and what is in it, without amounts and without the buyer's e-mail address. */
export const packingSchema = v.object({
  id: v.string(),
  number: v.number(),
  createdAt: v.string(),
  customerName: v.string(),
  phone: v.nullable(v.string()),
  shippingAddress: v.string(),
  shipping: v.nullable(shippingAddressSchema),
  shippingOption: v.object({ id: v.string(), name: v.string() }),
  gift: v.nullable(giftSchema),
  isTest: v.boolean(),
  items: v.array(
    v.object({
      productId: v.number(),
      name: v.string(),
      /** The product's number in the shop as of today; null: it has none. */
      sku: v.nullable(v.string()),
      image: v.nullable(v.string()),
      quantity: v.number(),
      /** Units that still wait to be shipped. */
      toShip: v.number(),
      /** Which batches its units came from. */
      batches: v.array(v.object({ code: v.string(), bestBefore: v.string(), quantity: v.number() })),
    }),
  ),
  shipments: v.array(shipmentSchema),
  /** Why it ships only with a reason given; null: it ships like any other. */
  shipHold: v.nullable(shipHoldSchema),
  /** Whether something of it may leave now. */
  mayShip: v.boolean(),
});
export type Packing = v.InferOutput<typeof packingSchema>;
export type PackingItem = Packing["items"][number];

/** The next order to pack and how many wait, up to 100. */
export const packingQueueSchema = v.object({ next: v.nullable(packingSchema), waiting: v.number() });
export type PackingQueue = v.InferOutput<typeof packingQueueSchema>;

/** What a packer may know of an order. */
export function packingOf(order: AdminOrder): Packing {
  const { id, number, createdAt, customerName, phone, shippingAddress, shipping, shippingOption } = order;
  const { gift, isTest, shipments, shipHold } = order;
  return {
    ...{ id, number, createdAt, customerName, phone, shippingAddress, shipping, shippingOption },
    ...{ gift, isTest, shipments, shipHold },
    items: order.items.map(({ productId, name, sku, image, quantity, toShip, batches }) => ({
      ...{ productId, name, sku, image, quantity, toShip, batches },
    })),
    mayShip: order.may.ship,
  };
}

/**
 * What goes into an order's parcel: one that has left, by its id, as it was packed; without an id, what still waits, or the
 * last one where nothing does. None: it is not to be shipped.
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
