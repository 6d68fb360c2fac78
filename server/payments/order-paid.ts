import { e164 } from "../../domain/shared/phone.ts";
import type { ShopContext } from "../context.ts";
import { announceOrderPaid } from "../outbox/commands.ts";
import type { Db } from "../platform/database.ts";

/** Tells buyer and owner that an order is paid, in the transaction that books it; the owner by text too, if wished. */
export async function enqueueOrderPaid(
  { ownerSettings }: ShopContext,
  tx: Db,
  orderId: string,
): Promise<void> {
  const { phoneNumber } = (await ownerSettings(tx)).sms;
  await announceOrderPaid(tx, orderId, phoneNumber === null ? null : e164(phoneNumber));
}
