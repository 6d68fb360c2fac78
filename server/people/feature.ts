import { eq } from "drizzle-orm";
import * as v from "valibot";
import {
  apiKeySchema,
  maxApiKeys,
  newApiKeyResponseSchema,
  newApiKeySchema,
} from "../../domain/people/api-key.ts";
import { roleNames } from "../../domain/people/roles.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import type { Feature } from "../feature.ts";
import type { Mail } from "../outbox/compose.ts";
import { notifyOwners } from "../outbox/owner-mail.ts";
import { uuidParams } from "../platform/http/params.ts";
import { invalidFields, notFoundProblem, problem } from "../platform/http/problem.ts";
import { today } from "../settings/today.ts";
import { accountApi } from "./account-api.ts";
import { addApiKey, listApiKeys, purgeApiKeyResponses, revokeApiKey } from "./api-keys.ts";
import { findInvitation, invitationLink, purgeInvitations } from "./invitations.ts";
import { purgeChallenges } from "./passkeys.ts";
import { purgeFormerPeople } from "./people.ts";
import { peopleApi } from "./people-api.ts";
import { signInApi } from "./sign-in-api.ts";
import { people } from "./tables.ts";

const shared = { tag: "API keys", access: "admin" } as const;

/** API keys of other programs. Only the owner may make these calls. */
const apiKeysApi = [
  route("GET /api/admin/api-keys", {
    ...shared,
    summary: "Keys by which other programs call the API",
    response: dataEnvelope(v.array(apiKeySchema)),
    responses: { 200: "Unrevoked keys by name, without the keys themselves" },
    handle: async (ctx) => ok(await listApiKeys(ctx)),
  }),
  route("POST /api/admin/api-keys", {
    ...shared,
    summary: "Create an API key in one role, with an optional last day",
    confirm: "An API key is made",
    limit: "write",
    body: newApiKeySchema,
    response: dataEnvelope(newApiKeyResponseSchema),
    responses: {
      201: "The row and its `key`, which is shown only once",
      409: `There are ${maxApiKeys} keys already`,
    },
    async handle(ctx, { body: { name, role, expiresOn = null }, viewer, log }) {
      if (expiresOn !== null && expiresOn < (await today(ctx))) {
        return invalidFields({ expiresOn: "Choose today or a later day" });
      }
      const what = `The API key “${name}” was made, as ${roleNames[role].toLowerCase()}`;
      const newKey = await ctx.db.transaction(async (tx) => {
        const addedKey = await addApiKey(ctx, tx, { name, role, expiresOn });
        if (addedKey) await notifyOwners(ctx, tx, { what, viewer });
        return addedKey;
      });
      if (!newKey) return problem("invalid_state", `There are ${maxApiKeys} keys already. Revoke one first.`);
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
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Revoked: the next call with it is refused", 404: "There is no such key" },
    async handle(ctx, { params: { id }, viewer, log }) {
      const revokedKey = await ctx.db.transaction(async (tx) => {
        const revokedKey = await revokeApiKey(tx, id, ctx.now());
        if (revokedKey)
          await notifyOwners(ctx, tx, { what: `The API key “${revokedKey.name}” was revoked`, viewer });
        return revokedKey;
      });
      if (!revokedKey) return notFoundProblem("key");
      log(`Revoked the API key “${revokedKey.name}”`);
      return ok({ id });
    },
  }),
];

const invitationData = v.object({ token: v.string(), invitedBy: v.string() });

const securityChangeData = v.object({ what: v.string(), who: v.string(), at: v.string(), from: v.string() });

const peopleMail = {
  async panel_invitation({ db, now, owner, publicUrl }, message) {
    const { token, invitedBy } = v.parse(invitationData, message.data);
    const invitation = await findInvitation(db, token, now());
    if (!invitation) return "expired";
    const [person] = await db.select().from(people).where(eq(people.id, invitation.personId));
    return {
      email: {
        kind: "panel_invitation",
        name: invitation.name,
        role: roleNames[invitation.role],
        invitedBy,
        isNew: person?.joinedAt === null,
        expiresAt: invitation.expiresAt.toISOString(),
        joinUrl: invitationLink(publicUrl, token),
      },
      sender: owner.sender,
      recipient: invitation.email,
      secret: token,
    };
  },
  async owner_security({ owner, adminUrl }, message) {
    const facts = v.parse(securityChangeData, message.data);
    return {
      ...owner,
      recipient: message.recipient ?? owner.recipient,
      email: { kind: "owner_security", ...facts, adminUrl: `${adminUrl}/activity` },
    };
  },
} satisfies Mail;

/** Accounts of the panel, with invitations and passkeys, and API keys. */
export const peopleFeature = {
  api: [...signInApi, ...accountApi, ...peopleApi, ...apiKeysApi],
  mail: peopleMail,
  purges: [purgeChallenges, purgeInvitations, purgeFormerPeople, purgeApiKeyResponses],
} satisfies Feature;
