import type { ShopContext } from "../context.ts";
import { type Intent, ProviderRefused } from "./provider.ts";

/** The payment as the provider has it; null for one that it does not know. */
export async function findIntent({ provider }: ShopContext, intentId: string): Promise<Intent | null> {
  try {
    return await provider.retrieveIntent(intentId);
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}
