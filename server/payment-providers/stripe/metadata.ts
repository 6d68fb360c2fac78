/** Id of this shop, if several share one Stripe account; null if there is only one. */
export type ShopId = string | null;

/** Metadata of every object that the shop creates at Stripe: program, shop and order. Never personal data. */
export function orderMetadata(
  { orderId, orderNumber }: { orderId: string; orderNumber: number },
  shopId: ShopId,
) {
  return { app, ...(shopId === null ? {} : { shopId }), orderId, orderNumber: String(orderNumber) };
}

/**
 * Id of the order for which an object at Stripe was created; null if another program or shop in the same account created it.
 * Objects without a shop id are older than shop ids, and are treated as this shop's.
 */
export function orderIdIn(
  metadata: Record<string, string> | null | undefined,
  shopId: ShopId,
): string | null {
  if (metadata?.app !== app) return null;
  if (shopId !== null && metadata.shopId !== undefined && metadata.shopId !== shopId) return null;
  return metadata.orderId ?? null;
}

/** Metadata of a webhook endpoint that this shop creates. */
export function endpointMetadata(shopId: ShopId) {
  return { app, ...(shopId === null ? {} : { shopId }) };
}

export function isOwnEndpoint(metadata: Record<string, string> | null | undefined, shopId: ShopId): boolean {
  return metadata?.app === app && (metadata.shopId ?? null) === shopId;
}

const app = "palmira";
