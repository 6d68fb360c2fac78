import * as v from "valibot";
import type { Order } from "../../../domain/orders/order.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { deliveryDays } from "../../../domain/shipping/shipping-policy.ts";
import { orderLinkToken } from "../../orders/link-token.ts";
import { findOrder } from "../../orders/queries.ts";
import type { Db } from "../../platform/database.ts";
import type { Message } from "../claim.ts";
import type { ComposeContext, Composer } from "../composer.ts";

const attentionData = v.object({ message: v.string(), url: v.optional(v.string()) });
const textFailedData = v.object({ reason: v.string() });
const lookupData = v.object({ token: v.string(), expiresAt: v.pipe(v.string(), v.isoTimestamp()) });

/** The confirmation as it would be sent today; a copy is the same. */
const confirmation: Composer = async (context, message) => {
  const order = await orderOf(context.db, message);
  return {
    email: {
      kind: "order_confirmation",
      order,
      orderUrl: orderUrl(context, order.id),
      deliveryDays: deliveryDaysOf(order, context.facts),
      donatedCents: (await context.giving()).donatedCents,
    },
    sender: context.toShopper,
    recipient: order.email,
    secret: null,
  };
};

export const orderComposers = {
  order_confirmation: confirmation,
  order_confirmation_copy: confirmation,
  async owner_new_order({ db, owner, adminUrl }, message) {
    return { ...owner, email: { kind: "owner_new_order", order: await orderOf(db, message), adminUrl } };
  },
  async owner_attention({ db, owner, adminUrl }, message) {
    const order = message.orderId === null ? null : await orderOf(db, message);
    const { message: issue, url } = v.parse(attentionData, message.data);
    return {
      ...owner,
      email: { kind: "owner_attention", order, message: issue, url: url ?? null, adminUrl },
    };
  },
  async owner_text_failed({ db, owner, adminUrl }, message) {
    const order = await orderOf(db, message);
    const { reason } = v.parse(textFailedData, message.data);
    return {
      ...owner,
      email: { kind: "owner_text_failed", order, reason, adminUrl: `${adminUrl}/orders/${order.id}` },
    };
  },
  async order_lookup({ now, publicUrl, toShopper }, message) {
    const { token, expiresAt } = v.parse(lookupData, message.data);
    if (now() >= new Date(expiresAt)) return "expired";
    return {
      email: { kind: "order_lookup", lookupUrl: `${publicUrl}/orders/find?token=${token}` },
      sender: toShopper,
      recipient: message.recipient,
      secret: token,
    };
  },
} satisfies Record<string, Composer>;

export async function orderOf(db: Db, message: Message): Promise<Order> {
  const order = message.orderId === null ? null : await findOrder(db, message.orderId);
  if (!order) throw new Error(`message ${message.id} is about an order that does not exist`);
  return order;
}

/** The order's page, opened by the link itself on any device. */
export function orderUrl({ publicUrl, secret, now }: ComposeContext, orderId: string): string {
  return `${publicUrl}/orders/${orderId}?token=${orderLinkToken(secret, orderId, now())}`;
}

export function deliveryDaysOf(order: Order, { shipping }: ShopSettings): string | null {
  const options = shipping.zones.flatMap((zone) => zone.options);
  const option = options.find(({ id }) => id === order.shippingOption.id);
  return option ? deliveryDays(option) : null;
}
