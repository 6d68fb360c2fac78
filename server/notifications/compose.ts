import * as v from "valibot";
import type { Email, Sender } from "../../domain/email.ts";
import type { Order } from "../../domain/order.ts";
import type { ShopSettings } from "../../domain/settings.ts";
import { deliveryDays } from "../../domain/shipping-policy.ts";
import { orderLinkToken } from "../orders/link-token.ts";
import { findOrder } from "../orders/queries.ts";
import type { Db } from "../platform/database.ts";
import type { Message } from "./claim.ts";

export type ComposeParts = {
  db: Db;
  settings(): Promise<ShopSettings>;
  /** Null: owner's messages are kept. */
  ownerEmail: string | null;
  publicUrl: string;
  /** Signs order links. */
  secret: string;
  /** Whether payments are simulated. */
  isTestMode: boolean;
  now(): Date;
};

export type Composed = {
  email: Email;
  sender: Sender;
  recipient: string | null;
  /** Must not stay readable in the outbox. */
  secret: string | null;
};

const attentionData = v.object({ message: v.string() });
const lookupData = v.object({ token: v.string(), expiresAt: v.pipe(v.string(), v.isoTimestamp()) });

/** Gathers the facts of a message as they are now. */
export async function composeMessage(parts: ComposeParts, message: Message): Promise<Composed | "expired"> {
  const settings = await parts.settings();
  const { publicUrl } = parts;
  const adminUrl = `${publicUrl}/admin`;
  const toShopper = {
    brandName: settings.brandName,
    publicUrl,
    isTestMode: parts.isTestMode,
    replyTo: settings.contact.email ?? parts.ownerEmail,
  };
  const toOwner = { ...toShopper, replyTo: null };
  const owner = { recipient: parts.ownerEmail, sender: toOwner, secret: null };
  switch (message.kind) {
    case "order_confirmation": {
      const order = await orderOf(parts.db, message);
      const token = orderLinkToken(parts.secret, order.id, parts.now());
      return {
        email: {
          kind: message.kind,
          order,
          orderUrl: `${publicUrl}/orders/${order.id}?token=${token}`,
          deliveryDays: deliveryDaysOf(order, settings),
        },
        sender: toShopper,
        recipient: order.email,
        secret: null,
      };
    }
    case "owner_new_order": {
      const order = await orderOf(parts.db, message);
      return { ...owner, email: { kind: message.kind, order, adminUrl } };
    }
    case "owner_attention": {
      const order = message.orderId === null ? null : await orderOf(parts.db, message);
      const { message: matter } = v.parse(attentionData, message.data);
      return { ...owner, email: { kind: message.kind, order, message: matter, adminUrl } };
    }
    case "order_lookup": {
      const { token, expiresAt } = v.parse(lookupData, message.data);
      if (parts.now() >= new Date(expiresAt)) return "expired";
      return {
        email: { kind: message.kind, lookupUrl: `${publicUrl}/orders/find?token=${token}` },
        sender: toShopper,
        recipient: message.recipient,
        secret: token,
      };
    }
  }
}

async function orderOf(db: Db, message: Message): Promise<Order> {
  const order = message.orderId === null ? null : await findOrder(db, message.orderId);
  if (!order) throw new Error(`message ${message.id} is about an order that does not exist`);
  return order;
}

function deliveryDaysOf(order: Order, { shipping }: ShopSettings): string | null {
  const options = shipping.zones.flatMap((zone) => zone.options);
  const option = options.find(({ id }) => id === order.shippingOption.id);
  return option ? deliveryDays(option) : null;
}
