import { eq } from "drizzle-orm";
import * as v from "valibot";
import { roleNames } from "../../domain/people/roles.ts";
import type { Feature } from "../feature.ts";
import type { Mail } from "../outbox/compose.ts";
import { accountApi } from "./account-api.ts";
import { purgeApiKeyAnswers } from "./api-keys.ts";
import { apiKeysApi } from "./api-keys-api.ts";
import { findInvitation, invitationLink, purgeInvitations } from "./invitations.ts";
import { purgeChallenges } from "./passkeys.ts";
import { purgeLeavers } from "./people.ts";
import { peopleApi } from "./people-api.ts";
import { signInApi } from "./sign-in-api.ts";
import { people } from "./tables.ts";

const invitationData = v.object({ token: v.string(), invitedBy: v.string() });

const securityChangeData = v.object({ what: v.string(), who: v.string(), at: v.string(), from: v.string() });

const peopleMail = {
  async panel_invitation({ db, now, owner, publicUrl }, message) {
    const { token, invitedBy } = v.parse(invitationData, message.data);
    const invited = await findInvitation(db, token, now());
    if (!invited) return "expired";
    const [person] = await db.select().from(people).where(eq(people.id, invited.personId));
    return {
      email: {
        kind: "panel_invitation",
        name: invited.name,
        role: roleNames[invited.role],
        invitedBy,
        isNew: person?.joinedAt === null,
        expiresAt: invited.expiresAt.toISOString(),
        joinUrl: invitationLink(publicUrl, token),
      },
      sender: owner.sender,
      recipient: invited.email,
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
  purges: [purgeChallenges, purgeInvitations, purgeLeavers, purgeApiKeyAnswers],
} satisfies Feature;
