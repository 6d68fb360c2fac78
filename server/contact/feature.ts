import { and, asc, desc, eq, inArray, lte, sql } from "drizzle-orm";
import { contactReference } from "../../domain/contact/contact.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { eraseMailAbout } from "../outbox/personal-data.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { contactApi } from "./api.ts";
import { purgeContactMessages } from "./commands.ts";
import { contactMail } from "./mail.ts";
import { savedRepliesApi } from "./saved-replies.ts";
import { contactMessages, contactReplies } from "./tables.ts";

export const contactFeature = {
  api: [...contactApi, ...savedRepliesApi],
  mail: contactMail,
  purges: [purgeContactMessages],
  personalData: {
    knownAddress: senderAddress,
    lists: { contactMessages: exportContactMessages },
    erase: eraseContactMessages,
  },
} satisfies Feature;

/** The address as typed in its latest message; null if it never wrote. `email` in lower case. */
async function senderAddress(db: Db, email: string): Promise<string | null> {
  const [latest] = await db
    .select({ email: contactMessages.email })
    .from(contactMessages)
    .where(isFrom(email))
    .orderBy(desc(contactMessages.createdAt))
    .limit(1);
  return latest?.email ?? null;
}

/** Messages of an address, with the replies. */
async function exportContactMessages(db: Db, { email }: Person, limit: number) {
  const rows = await db
    .select()
    .from(contactMessages)
    .where(isFrom(email))
    .orderBy(asc(contactMessages.number))
    .limit(limit);
  const replies = await db
    .select()
    .from(contactReplies)
    .where(
      inArray(
        contactReplies.messageId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(contactReplies.createdAt), asc(contactReplies.id));
  return rows.map(({ id, number, ...message }) => ({
    reference: contactReference(number),
    ...message,
    replies: replies
      .filter(({ messageId }) => messageId === id)
      .map(({ text, createdAt }) => ({ text, createdAt })),
  }));
}

/** Deletes the messages of an address until a time, with the answers and e-mails about them. */
async function eraseContactMessages(
  tx: Db,
  person: PersonToErase,
  { mailFolder }: ShopContext,
): Promise<void> {
  const erased = await tx
    .delete(contactMessages)
    .where(and(isFrom(person.email), lte(contactMessages.createdAt, person.until)))
    .returning({ id: contactMessages.id });
  const ids = erased.map(({ id }) => id);
  await eraseMailAbout(tx, { subject: "messageId", ids, person }, mailFolder);
}

function isFrom(email: string) {
  return eq(sql`lower(${contactMessages.email})`, email);
}
