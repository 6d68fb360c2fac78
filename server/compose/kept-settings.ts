import type { OwnerSettings, ShopSettings } from "../../domain/settings.ts";
import type { ChangeFeed } from "../platform/change-feed.ts";
import type { Database, Db } from "../platform/database.ts";
import { readSettings } from "../settings/queries.ts";

/** Kept in memory until they change. */
export type KeptSettings = {
  shop(): Promise<ShopSettings>;
  owner(): Promise<OwnerSettings>;
  /**
   * For use in a transaction. While no change would be heard of, they are read on its own connection: if all of them
   * waited for another one, none would get it.
   */
  ownerIn(tx: Db): Promise<OwnerSettings>;
};

export function keepSettings(db: Database, changes: ChangeFeed): KeptSettings {
  const all = changes.cached(["settings"], () => readSettings(db));
  const owner = async () => (await all()).owner;
  return {
    shop: async () => (await all()).shop,
    owner,
    ownerIn: async (tx) => (changes.isListening() ? owner() : (await readSettings(tx)).owner),
  };
}
