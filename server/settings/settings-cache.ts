import { settingsGroupNames } from "../../domain/settings/settings.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { readSettings } from "./queries.ts";

/** The settings, cached until they change; reports unreadable ones to `health`. */
export function openSettings({
  db,
  health,
  changes,
}: Pick<ShopContext, "db" | "health" | "changes">): Pick<ShopContext, "settings" | "ownerSettings"> {
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
    settings: async (tx) => (await read(tx)).shop,
    ownerSettings: async (tx) => (await read(tx)).owner,
  };
}
