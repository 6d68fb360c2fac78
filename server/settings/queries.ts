import * as v from "valibot";
import { withIncludedTax } from "../../domain/checkout/included-tax.ts";
import type {
  AllSettings,
  OwnerSettings,
  SettingsGroup,
  SettingsRevisions,
  ShopSettings,
} from "../../domain/settings/settings.ts";
import { defaultSettings, settingsForms } from "../../domain/settings/settings-schema.ts";
import type { Db } from "../platform/database/database.ts";
import { settings } from "./tables.ts";

const groups = Object.keys(settingsForms) as SettingsGroup[];

/** `unreadable`: groups that are stored in a form this version does not know; their defaults stand in for them, a limit of 0 for the limit. */
export type ReadSettings = { shop: ShopSettings; owner: OwnerSettings; unreadable: SettingsGroup[] };

/** All settings, defaults filled in; also for a group whose row no longer parses, which must not take the shop down. */
export async function readSettings(db: Db): Promise<ReadSettings> {
  const { settings: all, unreadable } = await readSettingsToEdit(db);
  const { notifications, lowStockAt, sms, timeZone, welcomeCode, invoices, ...others } = all;
  const { confirmAboveCents, addressQuestionsPerDay, ...shop } = others;
  return {
    // Whoever prices something is told by the rate itself whether prices include it.
    shop: { ...shop, tax: withIncludedTax(shop.tax, shop.taxIncludedIn) },
    owner: {
      ...{ notifications, lowStockAt, sms, timeZone, welcomeCode, invoices },
      // A limit that cannot be read is no license: every sum is asked about until it is saved again.
      confirmAboveCents: unreadable.includes("confirmAboveCents") ? 0 : confirmAboveCents,
      addressQuestionsPerDay,
    },
    unreadable,
  };
}

/** The same in one piece, with when each group was last changed. */
export async function readSettingsToEdit(
  db: Db,
): Promise<{ settings: AllSettings; revisions: SettingsRevisions; unreadable: SettingsGroup[] }> {
  const rows = new Map((await db.select().from(settings)).map((row) => [row.key, row]));
  const unreadable: SettingsGroup[] = [];
  const read = groups.map((group) => {
    const row = rows.get(group);
    if (row === undefined) return [group, defaultSettings[group]];
    const parsed = v.safeParse(settingsForms[group], row.value);
    if (parsed.success) return [group, parsed.output];
    unreadable.push(group);
    return [group, defaultSettings[group]];
  });
  return {
    settings: Object.fromEntries(read) as AllSettings,
    revisions: Object.fromEntries(
      groups.map((group) => [group, rows.get(group)?.updatedAt.toISOString() ?? null]),
    ) as SettingsRevisions,
    unreadable,
  };
}
