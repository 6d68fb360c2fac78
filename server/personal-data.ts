import type { KeptOrder } from "../domain/privacy/erasure.ts";
import type { ShopSettings } from "../domain/settings/settings.ts";
import type { Db } from "./platform/database/database.ts";

/** The lists in the export of a person's data (docs/decisions/0026-personal-data.md). */
export type ExportList =
  | "orders"
  | "invoices"
  | "reviews"
  | "questions"
  | "helpfulVotes"
  | "contactMessages"
  | "emails"
  | "carts"
  | "cartReminders"
  | "refillReminders"
  | "stockAlerts"
  | "drafts"
  | "newsletter"
  | "newsletters"
  | "customer"
  | "links";

/** A person: an address in lower case, the orders placed with it, and the visitors with access to them. */
export type Person = { email: string; orderIds: string[]; visitorIds: string[] };

/** `until`: later data is kept. `finishedOrderIds`: the person's orders that no longer need their buyer's data. */
export type PersonToErase = Person & { until: Date; finishedOrderIds: string[] };

/**
 * Hooks of a feature that stores personal data. Every feature exports and erases its own tables; `Context` is the shop's. Retention by
 * time is in its `purges`.
 */
export type PersonalDataOf<Context> = {
  /** The address as stored by the feature; null if it is unknown there. `email` in lower case. */
  knownAddress?(db: Db, email: string): Promise<string | null>;
  /** Lists of the export, each with at most `limit` entries. */
  lists?: Partial<
    Record<
      ExportList,
      (db: Db, person: Person, limit: number, ctx: Context) => Promise<Record<string, unknown>[]>
    >
  >;
  /** Fields that this feature adds to an order in the export. */
  ofOrder?(db: Db, orderId: string): Promise<Record<string, unknown>>;
  /** Kinds of e-mail that the address has unsubscribed from. */
  optouts?(db: Db, email: string): Promise<string[]>;
  /** Erases the personal data of orders that no longer need their buyer's. The caller holds their locks. */
  eraseOrders?(tx: Db, orderIds: string[], ctx: Context): Promise<void>;
  /** Locks that an erasure takes before it reads anything, in the sequence in which others take them. */
  beforeErase?(tx: Db): Promise<void>;
  /**
   * Deletes all other data of the person, after `eraseOrders` of all features. If it throws, the erasure is rolled back and
   * repeated.
   */
  erase?(tx: Db, person: PersonToErase, ctx: Context): Promise<void>;
  /** Only set by the feature of orders: other features find a person's data by these orders and visitors. */
  buyer?: {
    find(db: Db, by: { email: string; until: Date; limit?: number }): Promise<Omit<Person, "email">>;
    /** Locks the orders until the transaction ends, and returns which of them still need their buyer's data. */
    classify(
      tx: Db,
      orderIds: string[],
      facts: { settings: ShopSettings; now: Date },
    ): Promise<{ finishedIds: string[]; kept: KeptOrder[] }>;
  };
};
