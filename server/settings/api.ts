import type {
  AdminSettings,
  AllSettings,
  SettingsGroup,
  SettingsRevisions,
} from "../../domain/settings/settings.ts";
import { settingsPartSchema } from "../../domain/settings/settings-schema.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import type { Database, Db } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import { describeSettingsChange, namesOf } from "./activity.ts";
import { writeSettings } from "./commands.ts";
import { readSettingsToEdit } from "./queries.ts";

const tag = "Settings";

/** What the owner decides about the shop. */
export function settingsApi({
  db,
  now,
  onWrite,
}: {
  db: Database;
  now(): Date;
  /** Told inside the transaction that has changed something. */
  onWrite(tx: Db): Promise<void>;
}): AnyApiRow[] {
  return [
    route("GET /api/admin/settings", {
      tag,
      summary: "All settings, and when each group of them was last changed",
      access: "admin",
      limit: "none",
      answers: {
        200: "The settings; `revisions`: group -> time of its last change, null where the default holds; `unreadable`, where there are any: groups whose stored value cannot be read, so that the default holds until they are saved anew",
      },
      handle: async () => ok(answerOf(await readSettingsToEdit(db))),
    }),
    route("PATCH /api/admin/settings", {
      tag,
      summary: "Change any part of the settings, at once on every page; lists are given whole",
      access: "admin",
      limit: "none",
      body: settingsPartSchema,
      answers: {
        200: "All settings",
        409: "`invalid_state`: a group was changed since the `revisions` sent along; `current` has the settings",
      },
      async handle(_ctx, { body: { revisions, ...part }, log }) {
        const written = await db.transaction(async (tx) => {
          const result = await writeSettings(tx, part, now(), revisions);
          if (result.ok) await onWrite(tx);
          return result;
        });
        if (written.ok) {
          log(describeSettingsChange(written.before, written.settings));
          return ok(answerOf(written));
        }
        if (written.reason === "invalid") {
          return problem("validation_failed", "Please check the highlighted fields.", {
            fields: written.fields,
          });
        }
        const message = `${namesOf(written.groups)} was changed meanwhile, in another window or by somebody else. Nothing was saved.`;
        return problem("invalid_state", message, { current: answerOf(written) });
      },
    }),
  ];
}

function answerOf(read: {
  settings: AllSettings;
  revisions: SettingsRevisions;
  unreadable: SettingsGroup[];
}): AdminSettings {
  const { sms: _, ...settings } = read.settings;
  const { revisions, unreadable } = read;
  return { ...settings, revisions, ...(unreadable.length > 0 && { unreadable }) };
}
