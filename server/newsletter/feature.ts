import { and, eq, lte } from "drizzle-orm";
import type { Feature } from "../feature.ts";
import { hashOf } from "../outbox/optouts.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { newsletterApi } from "./api.ts";
import { purgeSubscribers } from "./commands.ts";
import { newsletterMail } from "./mail.ts";
import { subscribers } from "./tables.ts";

/** Sign-ups for the newsletter, with the record of consent. `campaigns` sends it. */
export const newsletterFeature = {
  api: newsletterApi,
  mail: newsletterMail,
  purges: [purgeSubscribers],
  personalData: {
    knownAddress: subscribedAddress,
    lists: { newsletter: exportSubscriptions },
    erase: eraseSubscription,
  },
} satisfies Feature;

const isFor = (email: string) => eq(subscribers.emailHash, hashOf(email));

/** The address as typed at its sign-up; null if it has not signed up. */
async function subscribedAddress(db: Db, email: string): Promise<string | null> {
  const [subscriber] = await db.select({ email: subscribers.email }).from(subscribers).where(isFor(email));
  return subscriber?.email ?? null;
}

async function exportSubscriptions(db: Db, { email }: Person) {
  return db
    .select({
      email: subscribers.email,
      askedAt: subscribers.askedAt,
      place: subscribers.place,
      consentText: subscribers.consentText,
      confirmedAt: subscribers.confirmedAt,
      confirmedNetwork: subscribers.confirmedNetwork,
      welcomeCode: subscribers.welcomeCode,
    })
    .from(subscribers)
    .where(isFor(email));
}

/** Deletes the sign-up of an address made until a time. */
async function eraseSubscription(tx: Db, { email, until }: PersonToErase): Promise<void> {
  await tx.delete(subscribers).where(and(isFor(email), lte(subscribers.askedAt, until)));
}
