import { and, desc, eq, lt } from "drizzle-orm";
import { type ContactSubject, contactReference, type Suspicion } from "../../domain/contact.ts";
import type { Db } from "../platform/database.ts";
import { contactMessages } from "./tables.ts";

/** A message as the owner's inbox shows it. Times in ISO 8601. */
export type InboxMessage = {
  id: string;
  reference: string;
  name: string;
  email: string;
  subject: ContactSubject;
  message: string;
  suspicion: Suspicion | null;
  status: "open" | "done";
  createdAt: string;
  readAt: string | null;
};

/** Newest first. `cursor` is the number of the last message of the page before. */
export async function listContactMessages(
  db: Db,
  page: { status?: "open" | "done" | undefined; limit: number; cursor?: number | undefined },
): Promise<{ messages: InboxMessage[]; nextCursor: string | null }> {
  const rows = await db
    .select()
    .from(contactMessages)
    .where(
      and(
        page.status && eq(contactMessages.status, page.status),
        page.cursor === undefined ? undefined : lt(contactMessages.number, page.cursor),
      ),
    )
    .orderBy(desc(contactMessages.number))
    .limit(page.limit + 1);
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    messages: shown.map(inboxMessage),
    nextCursor: rows.length > page.limit && last ? String(last.number) : null,
  };
}

export async function findContactMessage(db: Db, id: string): Promise<InboxMessage | null> {
  const [row] = await db.select().from(contactMessages).where(eq(contactMessages.id, id));
  return row ? inboxMessage(row) : null;
}

function inboxMessage({
  number,
  createdAt,
  readAt,
  ...rest
}: typeof contactMessages.$inferSelect): InboxMessage {
  return {
    ...rest,
    reference: contactReference(number),
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  };
}
