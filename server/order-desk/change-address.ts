import { isDeepStrictEqual } from "node:util";
import type { ShippingAddress } from "../../domain/orders/order.ts";
import { costsTheSame } from "../../domain/orders/order-actions.ts";
import type { ShopContext } from "../context.ts";
import { updateContact } from "../orders/commands.ts";
import { recordOrderEvent } from "../orders/transition.ts";
import { type ActionResult, lockForAction, refused } from "./actions.ts";
import { enqueueAddressChanged } from "./change-mail.ts";

const note = "Address changed by the buyer";
/** Limit of address edits, as each sends an e-mail to both sides. */
const changesMax = 5;

type NewAddress = {
  orderId: string;
  customerName: string;
  phone: string | null;
  shipping: ShippingAddress;
};

/**
 * Changes the address of a paid order that has not shipped and costs the same there. E-mails both sides, because the owner may
 * have printed the old address. Repeats change nothing.
 */
export async function changeAddress(
  ctx: ShopContext,
  { orderId, customerName, phone, shipping }: NewAddress,
): Promise<ActionResult> {
  return ctx.db.transaction(async (tx) => {
    const target = await lockForAction(ctx, tx, orderId);
    if (!target) return refused("There is no such order.");
    const { order, may } = target;
    const isSame =
      order.customerName === customerName &&
      (order.phone || null) === phone &&
      isDeepStrictEqual(order.shipping, shipping);
    if (isSame) return { ok: true };
    if (!may.changeAddress) {
      return refused(
        order.fulfilment === null
          ? "The address of this order can’t be changed anymore."
          : "This order has shipped. Please ask the carrier to redirect it.",
      );
    }
    if (order.events.filter((event) => event.note?.startsWith(note)).length >= changesMax)
      return refused("This address has been changed several times. Please write to us to change it again.");
    if (!costsTheSame(order, shipping, await ctx.settings(tx))) {
      return refused(
        "Shipping or tax would cost a different amount there, or we can’t ship there this way. Cancel the order and place it again, or write to us.",
      );
    }
    await updateContact(tx, orderId, { customerName, phone, shipping });
    const { status } = order;
    await recordOrderEvent(tx, { orderId, from: status, to: status, actor: "shopper", note, now: ctx.now() });
    await enqueueAddressChanged(tx, { orderId, email: order.email, at: ctx.now() });
    return { ok: true };
  });
}
