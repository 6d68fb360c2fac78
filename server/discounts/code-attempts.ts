import type { ShopContext } from "../context.ts";
import { networkPrefix } from "../platform/http/client-address.ts";
import { type Problem, rateLimited } from "../platform/http/problem.ts";

/**
 * Rate-limits guessing of codes; only unknown codes count. Call it before the lookup, so that a caller over the limit
 * cannot learn whether a code exists.
 */
export async function codeRefusal({ limits }: ShopContext, address: string): Promise<Problem | null> {
  const waitS = await limits.wait("discount", networkPrefix(address));
  if (waitS === null) return null;
  const message = `Many discount codes were tried from here. Please wait ${waitS} seconds, or go on without a code.`;
  return rateLimited(message, waitS);
}

export async function countUnknownCode({ limits }: ShopContext, address: string): Promise<void> {
  await limits.take("discount", networkPrefix(address));
}
