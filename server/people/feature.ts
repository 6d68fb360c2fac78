import type { Feature } from "../feature.ts";
import { accountApi } from "./account-api.ts";
import { purgeInvitations } from "./invitations.ts";
import { peopleMail } from "./mail.ts";
import { purgeChallenges } from "./passkeys.ts";
import { purgeLeavers } from "./people.ts";
import { peopleApi } from "./people-api.ts";
import { signInApi } from "./sign-in-api.ts";

/** Accounts of the panel, with invitations and passkeys. */
export const peopleFeature = {
  api: [...signInApi, ...accountApi, ...peopleApi],
  mail: peopleMail,
  purges: [purgeChallenges, purgeInvitations, purgeLeavers],
} satisfies Feature;
