import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { Giving } from "../../domain/sales/giving.ts";
import { readSetAside } from "../orders/giving.ts";
import type { Db } from "../platform/database/database.ts";
import { readSent } from "./donations.ts";

/** The amount that orders set aside for donations, and the amount recorded as sent. */
export async function readGiving(db: Db, mode: PaymentMode): Promise<Giving> {
  const [setAside, sent] = await Promise.all([readSetAside(db, mode), readSent(db)]);
  return { ...setAside, ...sent };
}
