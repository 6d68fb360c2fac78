import * as v from "valibot";
import type { AllSettings, OwnerSettings, SettingsRevisions, ShopSettings } from "../../domain/settings.ts";
import { defaultSettings, settingsForms } from "../../domain/settings-schema.ts";
import type { Db } from "../platform/database.ts";
import { settings } from "./tables.ts";

const { notifications, lowStockAt, sms, timeZone, ...shopForms } = settingsForms;
const ownerForms = { notifications, lowStockAt, sms, timeZone };
const shopSchema = v.object(shopForms);
const ownerSchema = v.object(ownerForms);

/** All settings, defaults filled in. A row that no longer parses throws: guessing shipping prices would be worse. */
export async function readSettings(db: Db): Promise<{ shop: ShopSettings; owner: OwnerSettings }> {
  const rows = await db.select({ key: settings.key, value: settings.value }).from(settings);
  const values = { ...defaultSettings, ...Object.fromEntries(rows.map(({ key, value }) => [key, value])) };
  return { shop: v.parse(shopSchema, values), owner: v.parse(ownerSchema, values) };
}

/** The same in one piece, with when each group was last changed. */
export async function readSettingsToEdit(
  db: Db,
): Promise<{ settings: AllSettings; revisions: SettingsRevisions }> {
  const rows = await db.select({ key: settings.key, updatedAt: settings.updatedAt }).from(settings);
  const changedAt = new Map(rows.map(({ key, updatedAt }) => [key, updatedAt.toISOString()]));
  const { shop, owner } = await readSettings(db);
  const groups = Object.keys(settingsForms);
  return {
    settings: { ...shop, ...owner },
    revisions: Object.fromEntries(
      groups.map((group) => [group, changedAt.get(group) ?? null]),
    ) as SettingsRevisions,
  };
}
