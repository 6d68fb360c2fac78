import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { Giving } from "../../domain/sales/giving.ts";
import { readSetAside } from "../orders/giving.ts";
import type { Db } from "../platform/database/database.ts";
import { readSent } from "./donations.ts";

/** What orders set aside, beside what the owner recorded as sent of it. */
export async function readGiving(db: Db, mode: PaymentMode): Promise<Giving> {
  const [setAside, sent] = await Promise.all([readSetAside(db, mode), readSent(db)]);
  return { ...setAside, ...sent };
}
