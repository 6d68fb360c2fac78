import type { Db } from "../platform/database.ts";
import type { WithdrawalStatement } from "./change-mail.ts";

/** Whom to tell of an order's changes, inside the transaction that makes them true. */
export type OrderNews = {
  shipped(tx: Db, order: { orderId: string; at: Date }): Promise<void>;
  /** The parcel is followed by another number than the buyer was told. */
  parcelCorrected(tx: Db, order: { orderId: string }): Promise<void>;
  delivered(tx: Db, order: { orderId: string; at: Date }): Promise<void>;
  /** The buyer is to have the confirmation once more. */
  confirmationAskedFor(tx: Db, order: { orderId: string }): Promise<void>;
  /** `refundCents`: what now goes back to the buyer. `reason`: what the shop says to its buyer, where it called it off. */
  cancelled(
    tx: Db,
    order: { orderId: string; refundCents: number; by: "buyer" | "shop"; reason: string | null },
  ): Promise<void>;
  returnRequested(tx: Db, request: { orderId: string; returnId: string }): Promise<void>;
  returnDecided(tx: Db, decision: { orderId: string; returnId: string }): Promise<void>;
  /** The owner wrote to the buyer about a request, without deciding it. */
  returnAnswered(tx: Db, answer: { orderId: string; returnId: string }): Promise<void>;
  withdrawn(tx: Db, statement: WithdrawalStatement): Promise<void>;
};
