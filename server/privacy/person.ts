import { remindedAddress } from "../checkout/personal-data.ts";
import { senderAddress } from "../contact/personal-data.ts";
import { subscribedAddress } from "../newsletter/personal-data.ts";
import { buyerAddress } from "../orders/queries.ts";
import type { Db } from "../platform/database/database.ts";
import { alertedAddress } from "../stock-alerts/personal-data.ts";

/** The address as the shop has it on record, of an order, a message, a reminder, an alert or a sign-up; null where there is none. */
export async function knownAddress(db: Db, email: string): Promise<string | null> {
  return (
    (await buyerAddress(db, email)) ??
    (await senderAddress(db, email)) ??
    (await remindedAddress(db, email)) ??
    (await alertedAddress(db, email)) ??
    (await subscribedAddress(db, email))
  );
}
