/** This shop, where several may share one account of Stripe's; null where there is only one. */
export type ShopId = string | null;

/** What is put on everything made at Stripe: ids, and whose they are. Never anything about a person. */
export function orderMetadata(
  { orderId, orderNumber }: { orderId: string; orderNumber: number },
  shopId: ShopId,
) {
  return { app, ...(shopId === null ? {} : { shopId }), orderId, orderNumber: String(orderNumber) };
}

/**
 * The order something at Stripe was made for; null for what another program or another shop made in the same account.
 * What was made before shops had ids names none, and may be of any.
 */
export function orderIdIn(
  metadata: Record<string, string> | null | undefined,
  shopId: ShopId,
): string | null {
  if (metadata?.app !== app) return null;
  if (shopId !== null && metadata.shopId !== undefined && metadata.shopId !== shopId) return null;
  return metadata.orderId ?? null;
}

const app = "palmira";
