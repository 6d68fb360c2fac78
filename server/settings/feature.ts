import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { nonOwnerRoles } from "../../domain/people/roles.ts";
import {
  type AllSettings,
  type SettingsGroup,
  type SettingsRevisions,
  settingsGroupNames,
} from "../../domain/settings/settings.ts";
import {
  type AdminSettings,
  adminSettingsSchema,
  settingsPartSchema,
} from "../../domain/settings/settings-schema.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { syncIssues } from "../issues/issues.ts";
import { notifyOwners } from "../outbox/owner-mail.ts";
import type { Db } from "../platform/database/database.ts";
import type { LoggedChange } from "../platform/http/api-response.ts";
import { invalidFields, problem } from "../platform/http/problem.ts";
import { type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { writeSettings } from "./commands.ts";
import { readSettingsToEdit } from "./queries.ts";
import { rotateSecretsKey } from "./secrets.ts";
import { smsApi } from "./sms-api.ts";
import { settings } from "./tables.ts";
import { ownerTimeZone } from "./today.ts";

const shared = { tag: "Settings", access: "admin" } as const;

const settingsApi = [
  route("GET /api/admin/settings", {
    ...shared,
    summary: "All settings, and when each group of them was last changed",
    roles: ["staff"],
    response: dataEnvelope(adminSettingsSchema),
    responses: {
      200: "The settings; `revisions`: group -> time of its last change, null while the default is in use; `unreadable`, if there are any: groups whose stored value cannot be read, so that the default is used until they are saved again",
    },
    handle: async (ctx) => ok(settingsResponse(await readSettingsToEdit(ctx.db))),
  }),
  route("GET /api/admin/time-zone", {
    ...shared,
    summary: "The shop's time zone, in which the panel shows every time",
    roles: nonOwnerRoles,
    response: dataEnvelope(v.object({ timeZone: v.string(), today: v.string(), isChosen: v.boolean() })),
    responses: { 200: "`isChosen`: whether it was ever saved" },
    handle: async (ctx) => {
      const isChosen = (await ctx.db.$count(settings, eq(settings.key, "timeZone"))) > 0;
      const timeZone = await ownerTimeZone(ctx);
      return ok({ timeZone, today: dateIn(timeZone, ctx.now()), isChosen });
    },
  }),
  route("PATCH /api/admin/settings", {
    ...shared,
    summary: "Change any settings, at once on every page; a list replaces the stored one",
    body: settingsPartSchema,
    // Without a confirmation a stranger at an unlocked panel could raise the limit first.
    confirm: async (ctx, { body }) => {
      if (body.confirmAboveCents === undefined) return null;
      // From the database, as the cache may be a moment old.
      const { settings, unreadable } = await readSettingsToEdit(ctx.db);
      const isReadable = !unreadable.includes("confirmAboveCents");
      return isReadable && body.confirmAboveCents === settings.confirmAboveCents
        ? null
        : "The limit is changed";
    },
    response: dataEnvelope(adminSettingsSchema),
    responses: {
      200: "All settings",
      409: "`invalid_state`: a group was changed since the `revisions` sent along; `current` has the settings",
    },
    async handle(ctx, { body: { revisions, ...part }, viewer, log }) {
      const writeResult = await ctx.db.transaction(async (tx) => {
        const result = await writeSettings(tx, part, ctx.now(), revisions);
        if (!result.ok) return result;
        await watchSettings(ctx, tx);
        const { before, settings } = result;
        if (before.confirmAboveCents !== undefined) {
          const what = limitChange(before.confirmAboveCents, settings.confirmAboveCents);
          await notifyOwners(ctx, tx, { what, viewer });
        }
        return result;
      });
      if (writeResult.ok) {
        log(describeSettingsChange(writeResult.before, writeResult.settings));
        return ok(settingsResponse(writeResult));
      }
      if (writeResult.reason === "invalid") return invalidFields(writeResult.fields);
      const message = `${groupNames(writeResult.groups)} was changed in the meantime, in another window or by somebody else. Nothing was saved.`;
      return problem("invalid_state", message, { current: settingsResponse(writeResult) });
    },
  }),
];

function limitChange(before: number | null, after: number | null): string {
  if (after === null)
    return before === null
      ? "The limit for refunds and discounts without confirmation, which could not be read, was removed"
      : `The limit of ${formatCents(before)} for refunds and discounts without confirmation was removed`;
  const from = before === null ? "" : ` from ${formatCents(before)}`;
  return `The limit for refunds and discounts without confirmation was set${from} to ${formatCents(after)}`;
}

function settingsResponse(current: {
  settings: AllSettings;
  revisions: SettingsRevisions;
  unreadable: SettingsGroup[];
}): AdminSettings {
  const { sms: _, ...settings } = current.settings;
  const { revisions, unreadable } = current;
  return { ...settings, revisions, ...(unreadable.length > 0 && { unreadable }) };
}

/** Describes the changed fields of each group: "Brand name: Palmira → Batana & Co". */
function describeSettingsChange(before: Partial<AllSettings>, settings: AllSettings): LoggedChange {
  const groups = Object.keys(before) as SettingsGroup[];
  const [firstGroup] = groups;
  if (firstGroup === undefined) return { subject: "settings", summary: "Settings saved without changes" };
  return {
    subject: groups.length === 1 ? `settings:${firstGroup}` : "settings",
    summary: groups.map((group) => describeGroup(group, before[group], settings[group])).join("; "),
    before: Object.fromEntries(groups.map((group) => [group, changedFields(before[group], settings[group])])),
    after: Object.fromEntries(groups.map((group) => [group, changedFields(settings[group], before[group])])),
  };
}

/** "Shipping, Tax" */
function groupNames(groups: readonly SettingsGroup[]): string {
  return groups.map((group) => settingsGroupNames[group]).join(", ");
}

function describeGroup(group: SettingsGroup, before: unknown, after: unknown): string {
  const name = settingsGroupNames[group];
  if (typeof after === "object") return `${name} changed`;
  const unit = group === "givingPercent" ? "%" : "";
  return `${name}: ${before}${unit} → ${after}${unit}`;
}

/** The fields of an object whose values differ from those of the other object. */
function changedFields(value: unknown, other: unknown): unknown {
  if (!isObject(value) || !isObject(other)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, fieldValue]) => !isDeepStrictEqual(fieldValue, other[key])),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The shop's settings, and the stored keys of other services. */
export const settingsFeature = {
  api: [...settingsApi, ...smsApi],
  atStart: rotateSecretsKey,
  cron: (ctx) => [settingsWatch(ctx)],
} satisfies Feature;

/** Raises an issue for each stored setting that cannot be read, and closes those of settings that can be read again. */
export async function watchSettings({ log, now }: ShopContext, tx: Db): Promise<void> {
  const { unreadable, revisions } = await readSettingsToEdit(tx);
  for (const group of unreadable)
    log.error({ group }, "a stored setting cannot be read; its default applies");
  await syncIssues(tx, {
    kind: "setting_unreadable",
    cases: unreadable.map((group) => ({
      // Contains the revision, so that a later unreadable value is another issue.
      subject: `${group} of ${revisions[group]}`,
      message: `The saved setting “${settingsGroupNames[group]}” cannot be read, so ${settingConsequence(group)}. Please look at it under Settings and save it again`,
    })),
    resolution: "Automatically: it can be read again",
    now: now(),
  });
}

function settingConsequence(group: SettingsGroup): string {
  return group === "confirmAboveCents"
    ? "every refund and discount must be confirmed"
    : "the shop uses the default";
}

/** Runs at each start and every ten minutes, because settings may be changed in the database directly. */
function settingsWatch(ctx: ShopContext): RecurringTask {
  const job = { name: "watch_settings", lane: "upkeep", priority: 0, everySeconds: 10 * 60 } as const;
  return recurring(job, () => ctx.db.transaction((tx) => watchSettings(ctx, tx)));
}
