import * as v from "valibot";
import { withIncludedTax } from "../../domain/checkout/included-tax.ts";
import {
  type AllSettings,
  type OwnerSettings,
  type SettingsGroup,
  type SettingsRevisions,
  type ShopSettings,
  settingsGroupNames,
} from "../../domain/settings/settings.ts";
import { defaultSettings, settingsForms } from "../../domain/settings/settings-schema.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { settings } from "./tables.ts";

const groups = Object.keys(settingsForms) as SettingsGroup[];

/** `unreadable`: groups whose stored value does not parse. They have their defaults, except `confirmAboveCents`, which is 0. */
type ReadSettings = { shop: ShopSettings; owner: OwnerSettings; unreadable: SettingsGroup[] };

/** All settings, with defaults for groups that are not stored or do not parse. */
export async function readSettings(db: Db): Promise<ReadSettings> {
  const { settings: allSettings, unreadable } = await readSettingsToEdit(db);
  const { notifications, lowStockAt, sms, timeZone, welcomeCode, invoices, ...rest } = allSettings;
  const { confirmAboveCents, addressQuestionsPerDay, labels, ...shop } = rest;
  return {
    // Marks each rate that prices include.
    shop: { ...shop, tax: withIncludedTax(shop.tax, shop.taxIncludedIn) },
    owner: {
      notifications,
      lowStockAt,
      sms,
      timeZone,
      welcomeCode,
      invoices,
      // With an unreadable limit every amount has to be confirmed, until the owner saves a new limit.
      confirmAboveCents: unreadable.includes("confirmAboveCents") ? 0 : confirmAboveCents,
      addressQuestionsPerDay,
      labels,
    },
    unreadable,
  };
}

/** All settings in one object, with the time of each group's last change. */
export async function readSettingsToEdit(
  db: Db,
): Promise<{ settings: AllSettings; revisions: SettingsRevisions; unreadable: SettingsGroup[] }> {
  const rows = new Map((await db.select().from(settings)).map((row) => [row.key, row]));
  const unreadable: SettingsGroup[] = [];
  const entries = groups.map((group) => {
    const row = rows.get(group);
    if (row === undefined) return [group, defaultSettings[group]];
    const parsed = v.safeParse(settingsForms[group], row.value);
    if (parsed.success) return [group, parsed.output];
    unreadable.push(group);
    return [group, defaultSettings[group]];
  });
  return {
    settings: Object.fromEntries(entries) as AllSettings,
    revisions: Object.fromEntries(
      groups.map((group) => [group, rows.get(group)?.updatedAt.toISOString() ?? null]),
    ) as SettingsRevisions,
    unreadable,
  };
}

/** The settings, cached until they change; reports unreadable ones to `health`. */
export function openSettings({
  db,
  health,
  changes,
}: Pick<ShopContext, "db" | "health" | "changes">): Pick<ShopContext, "settings" | "ownerSettings"> {
  const readCached = changes.cached(["settings"], async () => {
    const settings = await readSettings(db);
    const names = settings.unreadable.map((group) => settingsGroupNames[group]).join(", ");
    health.report("settings", names === "" ? null : `cannot be read, their defaults apply: ${names}`, {
      canSell: true,
    });
    return settings;
  });
  const read = async (tx?: Db) =>
    tx === undefined ? readCached() : (readCached.loaded()?.value ?? readSettings(tx));
  return {
    settings: async (tx) => (await read(tx)).shop,
    ownerSettings: async (tx) => (await read(tx)).owner,
  };
}
