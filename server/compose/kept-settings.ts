import type { OwnerSettings, SettingsGroup, ShopSettings } from "../../domain/settings.ts";
import type { ChangeFeed } from "../platform/change-feed.ts";
import type { Database, Db } from "../platform/database.ts";
import { readSettings } from "../settings/queries.ts";

/**
 * Kept in memory until they change. A transaction passes itself: what is not kept at that moment is read on its own
 * connection, because transactions that wait for another one, each with one in its hands, may wait for each other.
 */
export type KeptSettings = {
  shop(tx?: Db): Promise<ShopSettings>;
  owner(tx?: Db): Promise<OwnerSettings>;
  /** Groups whose default stands in for what cannot be read. */
  unreadable(): Promise<SettingsGroup[]>;
};

export function keepSettings(db: Database, changes: ChangeFeed): KeptSettings {
  const all = changes.cached(["settings"], () => readSettings(db));
  const read = async (tx?: Db) => (tx === undefined ? all() : (all.kept()?.value ?? readSettings(tx)));
  return {
    shop: async (tx) => (await read(tx)).shop,
    owner: async (tx) => (await read(tx)).owner,
    unreadable: async () => (await all()).unreadable,
  };
}
