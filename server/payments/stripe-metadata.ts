/** What is put on everything made at Stripe: ids, and whose they are. Never anything about a person. */
export function orderMetadata({ orderId, orderNumber }: { orderId: string; orderNumber: number }) {
  return { app, orderId, orderNumber: String(orderNumber) };
}

/** The order something at Stripe was made for; null for what another program made in the same account. */
export function orderIdIn(metadata: Record<string, string> | null | undefined): string | null {
  return metadata?.app === app ? (metadata.orderId ?? null) : null;
}

const app = "palmira";
