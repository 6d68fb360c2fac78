import { eq } from "drizzle-orm";
import * as v from "valibot";
import { abandonedCartDays } from "../../domain/privacy/retention.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import type { ShopContext } from "../context.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";
import { cartReminders } from "./tables.ts";

/** Time after which reminders are deleted and their links expire. */
export const restoreLifeMs = abandonedCartDays * 24 * 60 * 60 * 1000;
const purpose = "cart-restore";

/** The token in a reminder's link: `<reminder id>.<token>`. */
export function restoreToken(secret: string, reminderId: string, now: Date): string {
  const expiresAt = new Date(now.getTime() + restoreLifeMs);
  return `${reminderId}.${signToken(secret, { purpose, subject: reminderId, expiresAt })}`;
}

/** The cart that a link restores; null if the link is invalid or expired, or the cart was bought. */
export async function restorableCart(
  { db, now, secret }: ShopContext,
  linkToken: string,
): Promise<{ productId: number; quantity: number }[] | null> {
  const reminderId = linkToken.slice(0, 36);
  if (!v.is(uuidSchema, reminderId) || linkToken[36] !== ".") return null;
  if (!isTokenValid(secret, linkToken.slice(37), { purpose, subject: reminderId, now: now() })) return null;
  const [reminder] = await db
    .select({ items: cartReminders.items })
    .from(cartReminders)
    .where(eq(cartReminders.id, reminderId));
  return reminder?.items ?? null;
}
