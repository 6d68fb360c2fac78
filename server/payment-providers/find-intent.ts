import type { ShopContext } from "../context.ts";
import { type Intent, ProviderRefused } from "./provider.ts";

/** The payment at the provider; null if the provider does not have it. */
export async function findIntent({ provider }: ShopContext, intentId: string): Promise<Intent | null> {
  try {
    return await provider.retrieveIntent(intentId);
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}
