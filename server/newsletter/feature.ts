import type { Feature } from "../feature.ts";
import { subscribersApi } from "./admin-api.ts";
import { newsletterApi } from "./api.ts";
import { purgeSubscribers } from "./commands.ts";
import { newsletterMail } from "./mail.ts";
import { eraseSubscription, exportSubscriptions, subscribedAddress } from "./personal-data.ts";

/** Sign-ups for the newsletter, with the record of consent. Another program sends the newsletter. */
export const newsletterFeature = {
  api: [...newsletterApi, ...subscribersApi],
  mail: newsletterMail,
  purges: [purgeSubscribers],
  personalData: {
    knownAddress: subscribedAddress,
    lists: { newsletter: exportSubscriptions },
    erase: eraseSubscription,
  },
} satisfies Feature;
