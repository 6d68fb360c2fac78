import { remindedAddress } from "../checkout/personal-data.ts";
import { senderAddress } from "../contact/personal-data.ts";
import { buyerAddress } from "../orders/queries.ts";
import type { Db } from "../platform/database/database.ts";

/** The address as the shop has it on record, of an order, a message or a reminder; null where there is none. */
export async function knownAddress(db: Db, email: string): Promise<string | null> {
  return (
    (await buyerAddress(db, email)) ?? (await senderAddress(db, email)) ?? (await remindedAddress(db, email))
  );
}
