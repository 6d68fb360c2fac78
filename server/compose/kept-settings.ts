import { type OwnerSettings, type ShopSettings, settingsGroupNames } from "../../domain/settings/settings.ts";
import type { ChangeFeed } from "../platform/change-feed.ts";
import type { Db } from "../platform/database.ts";
import { readSettings } from "../settings/queries.ts";
import type { ComposeInput } from "./input.ts";

/**
 * Kept in memory until they change. A transaction passes itself: what is not kept at that moment is read on its own
 * connection, because transactions that wait for another one, each with one in its hands, may wait for each other.
 */
export type KeptSettings = {
  shop(tx?: Db): Promise<ShopSettings>;
  owner(tx?: Db): Promise<OwnerSettings>;
};

export function keepSettings(
  { db, health }: Pick<ComposeInput, "db" | "health">,
  changes: ChangeFeed,
): KeptSettings {
  const all = changes.cached(["settings"], async () => {
    const settings = await readSettings(db);
    const names = settings.unreadable.map((group) => settingsGroupNames[group]).join(", ");
    health.report("settings", names === "" ? null : `cannot be read, defaults hold: ${names}`, {
      sells: true,
    });
    return settings;
  });
  const read = async (tx?: Db) => (tx === undefined ? all() : (all.kept()?.value ?? readSettings(tx)));
  return {
    shop: async (tx) => (await read(tx)).shop,
    owner: async (tx) => (await read(tx)).owner,
  };
}
