import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";

/** The address as a feature has stored it; null if no feature knows it. `email` in lower case. */
export async function knownAddress(
  { personalData }: Pick<ShopContext, "personalData">,
  db: Db,
  email: string,
): Promise<string | null> {
  for (const { knownAddress } of personalData) {
    const address = await knownAddress?.(db, email);
    if (address) return address;
  }
  return null;
}

/** The hook of the feature of orders that finds orders by their buyer. */
export function buyerHooks({ personalData }: Pick<ShopContext, "personalData">) {
  const buyer = personalData.find((hooks) => hooks.buyer)?.buyer;
  if (!buyer) throw new Error("no feature keeps orders");
  return buyer;
}

/** Erases the personal data of orders in every feature. The caller holds the orders' locks. */
export async function eraseOrders(tx: Db, orderIds: string[], ctx: ShopContext): Promise<void> {
  if (orderIds.length === 0) return;
  for (const { eraseOrders } of ctx.personalData) await eraseOrders?.(tx, orderIds, ctx);
}
