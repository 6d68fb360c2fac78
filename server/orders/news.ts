import type { Db } from "../platform/database.ts";

/** Whom to tell of an order's changes, inside the transaction that makes them true. */
export type OrderNews = {
  shipped(tx: Db, order: { orderId: string; at: Date }): Promise<void>;
  delivered(tx: Db, order: { orderId: string; at: Date }): Promise<void>;
  /** `refundCents`: what now goes back to the buyer. */
  calledOff(tx: Db, order: { orderId: string; refundCents: number }): Promise<void>;
  returnRequested(tx: Db, request: { orderId: string; returnId: string }): Promise<void>;
  returnDecided(tx: Db, decision: { orderId: string; returnId: string }): Promise<void>;
  withdrawn(tx: Db, statement: WithdrawalStatement): Promise<void>;
};

/** A buyer's withdrawal from the contract, as it was declared. */
export type WithdrawalStatement = {
  orderId: string;
  returnId: string;
  name: string;
  /** Where the acknowledgement goes besides the order's own address. */
  email: string;
  at: Date;
  /** What goes back at once, where it has not shipped; null: once the goods are back. */
  refundCents: number | null;
};
