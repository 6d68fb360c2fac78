import { eq } from "drizzle-orm";
import * as v from "valibot";
import { contactReference, contactSubjects } from "../../../domain/contact.ts";
import { contactMessages } from "../../contact/tables.ts";
import type { Db } from "../../platform/database.ts";
import type { Message } from "../claim.ts";
import type { Composer } from "../composer.ts";

const contactData = v.object({ messageId: v.pipe(v.string(), v.uuid()) });

export const contactComposers = {
  async owner_contact({ db, owner, adminUrl }, message) {
    const contact = await contactOf(db, message);
    if (!contact) return "expired";
    return {
      ...owner,
      email: {
        kind: "owner_contact",
        reference: contactReference(contact.number),
        name: contact.name,
        email: contact.email,
        about: contactSubjects[contact.subject],
        message: contact.message,
        isSuspicious: contact.suspicion !== null,
        adminUrl,
      },
      replyTo: contact.email,
    };
  },
  async contact_receipt({ db, toShopper }, message) {
    const contact = await contactOf(db, message);
    if (!contact) return "expired";
    return {
      email: { kind: "contact_receipt", reference: contactReference(contact.number) },
      sender: toShopper,
      recipient: message.recipient,
      secret: null,
    };
  },
} satisfies Record<string, Composer>;

/** Null: it was deleted at its sender's request before this could be sent. */
async function contactOf(db: Db, message: Message): Promise<typeof contactMessages.$inferSelect | null> {
  const { messageId } = v.parse(contactData, message.data);
  const [contact] = await db.select().from(contactMessages).where(eq(contactMessages.id, messageId));
  return contact ?? null;
}
