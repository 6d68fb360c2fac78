import type { Feature } from "../feature.ts";
import { accountApi } from "./account-api.ts";
import { peopleMail } from "./mail.ts";
import { peopleApi } from "./people-api.ts";
import { purgeChallenges, purgeInvitations, purgeLeavers } from "./purge.ts";
import { signInApi } from "./sign-in-api.ts";

/** Who works in the panel: accounts, invitations and passkeys. */
export const peopleFeature = {
  api: [...signInApi, ...accountApi, ...peopleApi],
  mail: peopleMail,
  purges: [purgeChallenges, purgeInvitations, purgeLeavers],
} satisfies Feature;
