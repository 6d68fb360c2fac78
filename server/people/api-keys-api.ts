import * as v from "valibot";
import {
  apiKeySchema,
  apiKeysMax,
  newApiKeyAnswerSchema,
  newApiKeySchema,
} from "../../domain/people/api-key.ts";
import { roleNames } from "../../domain/people/roles.ts";
import { created, dataOf, ok, route } from "../api-row.ts";
import { notifyOwners } from "../outbox/owner-mail.ts";
import { uuidParams } from "../platform/http/id-params.ts";
import { problem } from "../platform/http/problem.ts";
import { today } from "../settings/today.ts";
import { addApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";

const shared = { tag: "API keys", access: "admin" } as const;

/** API keys of other programs. Only the owner may make these calls. */
export const apiKeysApi = [
  route("GET /api/admin/api-keys", {
    ...shared,
    summary: "Keys by which other programs call the API",
    limit: "none",
    response: dataOf(v.array(apiKeySchema)),
    answers: { 200: "Unrevoked keys by name, without the keys themselves" },
    handle: async (ctx) => ok(await listApiKeys(ctx)),
  }),
  route("POST /api/admin/api-keys", {
    ...shared,
    summary: "Create an API key in one role, with an optional last day",
    confirm: "An API key is made",
    limit: "write",
    body: newApiKeySchema,
    response: dataOf(newApiKeyAnswerSchema),
    answers: {
      201: "The row and its `key`, which is shown only once",
      409: `There are ${apiKeysMax} keys already`,
    },
    async handle(ctx, { body: { name, role, expiresOn = null }, viewer, log }) {
      if (expiresOn !== null && expiresOn < (await today(ctx))) {
        return problem("validation_failed", "Please check the highlighted fields.", {
          fields: { expiresOn: "Choose today or a later day" },
        });
      }
      const what = `The API key “${name}” was made, as ${roleNames[role].toLowerCase()}`;
      const newKey = await ctx.db.transaction(async (tx) => {
        const added = await addApiKey(ctx, tx, { name, role, expiresOn });
        if (added) await notifyOwners(ctx, tx, { what, viewer });
        return added;
      });
      if (!newKey) return problem("invalid_state", `There are ${apiKeysMax} keys already. Revoke one first.`);
      log({
        subject: `api_key:${newKey.view.id}`,
        summary: `Made the API key “${name}”`,
        after: { role, expiresOn },
      });
      return created({ ...newKey.view, key: newKey.key });
    },
  }),
  route("DELETE /api/admin/api-keys/:id", {
    ...shared,
    summary: "Revoke an API key at once",
    confirm: "An API key is revoked",
    limit: "write",
    params: uuidParams,
    response: dataOf(v.object({ id: v.string() })),
    answers: { 200: "Revoked: the next call with it is refused", 404: "There is no such key" },
    async handle(ctx, { params: { id }, viewer, log }) {
      const revoked = await ctx.db.transaction(async (tx) => {
        const revokedKey = await revokeApiKey(tx, id, ctx.now());
        if (revokedKey)
          await notifyOwners(ctx, tx, { what: `The API key “${revokedKey.name}” was revoked`, viewer });
        return revokedKey;
      });
      if (!revoked) return problem("not_found", "There is no such key.");
      log({ subject: `api_key:${id}`, summary: `Revoked the API key “${revoked.name}”` });
      return ok({ id });
    },
  }),
];
