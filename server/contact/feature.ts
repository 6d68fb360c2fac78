import { and, asc, desc, eq, inArray, lte, sql } from "drizzle-orm";
import * as v from "valibot";
import { contactReference } from "../../domain/contact/contact.ts";
import {
  changedReplySchema,
  maxSavedReplies,
  newReplySchema,
  savedReplySchema,
} from "../../domain/contact/saved-reply.ts";
import { created, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { eraseMailAbout } from "../outbox/personal-data.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { idParams } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { contactApi } from "./api.ts";
import { purgeContactMessages } from "./commands.ts";
import { contactMail } from "./mail.ts";
import { contactMessages, contactReplies, savedReplies } from "./tables.ts";

const shared = {
  tag: "Contact, notifications, admin",
  access: "admin",
  roles: ["staff"],
} as const;

/** Reusable replies to contact messages. */
const savedRepliesApi = [
  route("GET /api/admin/saved-replies", {
    ...shared,
    summary: "Saved replies, by their names",
    response: dataEnvelope(v.array(savedReplySchema)),
    responses: { 200: "All saved replies, at most 100" },
    handle: async ({ db }) =>
      ok(
        await db
          .select()
          .from(savedReplies)
          .orderBy(asc(sql`lower(${savedReplies.title})`), asc(savedReplies.id)),
      ),
  }),
  route("POST /api/admin/saved-replies", {
    ...shared,
    summary: "Save a reply for later; `{first name}` and `{order number}` are filled in when it is used",
    body: newReplySchema,
    response: dataEnvelope(savedReplySchema),
    responses: { 201: "The reply", 409: "There are 100 replies already" },
    handle: async ({ db }, { body, log }) => {
      const reply = await addReply(db, body);
      if (reply === null)
        return problem("invalid_state", "There are 100 saved replies already. Delete one first.");
      log({ subject: `saved_reply:${reply.id}`, summary: `Saved reply “${reply.title}” added` });
      return created(reply);
    },
  }),
  route("PUT /api/admin/saved-replies/:id", {
    ...shared,
    summary: "Change a saved reply",
    params: idParams,
    body: changedReplySchema,
    response: dataEnvelope(savedReplySchema),
    responses: {
      200: "The reply",
      404: "There is no such reply",
      409: "`invalid_state`: changed since the `revision` sent along; `current` has the reply",
    },
    handle: async ({ db }, { params: { id }, body: { revision, ...words }, log }) => {
      const [before, after] = await changeReply(db, { id, revision, words });
      if (!before) return notFoundProblem("saved reply");
      if (!after) {
        return problem("invalid_state", "Somebody else changed this reply in the meantime.", {
          current: before,
        });
      }
      log({ subject: `saved_reply:${id}`, summary: `Saved reply “${after.title}” changed`, before, after });
      return ok(after);
    },
  }),
  route("DELETE /api/admin/saved-replies/:id", {
    ...shared,
    summary: "Delete a saved reply",
    params: idParams,
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: { 200: "Deleted", 404: "There is no such reply" },
    handle: async ({ db }, { params: { id }, log }) => {
      const [reply] = await db.delete(savedReplies).where(eq(savedReplies.id, id)).returning();
      if (!reply) return notFoundProblem("saved reply");
      log({
        subject: `saved_reply:${id}`,
        summary: `Saved reply “${reply.title}” deleted`,
        before: reply,
      });
      return ok({ id });
    },
  }),
];

type ReplyText = v.InferOutput<typeof newReplySchema>;

/** Adds a reply, or returns an existing identical one, since forms may be sent twice. Null if there are too many replies. */
async function addReply(db: Db, { title, text }: ReplyText) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${savedReplies} in share row exclusive mode`);
    const replies = await tx.select().from(savedReplies);
    const identicalReply = replies.find((reply) => reply.title === title && reply.text === text);
    if (identicalReply) return identicalReply;
    if (replies.length >= maxSavedReplies) return null;
    const [newReply] = await tx.insert(savedReplies).values({ title, text }).returning();
    if (!newReply) throw new Error("the insert returned no saved reply");
    return newReply;
  });
}

/** Returns `[before, after]`: empty if there is no such reply, without `after` on a revision conflict. */
async function changeReply(
  db: Db,
  { id, revision, words }: { id: number; revision: number; words: ReplyText },
) {
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(savedReplies).where(eq(savedReplies.id, id)).for("update");
    if (!before) return [];
    const isSame = before.title === words.title && before.text === words.text;
    if (isSame) return [before, before];
    if (before.revision !== revision) return [before];
    const [after] = await tx
      .update(savedReplies)
      .set({ ...words, revision: revision + 1 })
      .where(eq(savedReplies.id, id))
      .returning();
    return [before, after];
  });
}

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
  const [latestMessage] = await db
    .select({ email: contactMessages.email })
    .from(contactMessages)
    .where(isFrom(email))
    .orderBy(desc(contactMessages.createdAt))
    .limit(1);
  return latestMessage?.email ?? null;
}

/** Messages of an address, with the replies. */
async function exportContactMessages(db: Db, { email }: Person, limit: number) {
  const rows = await db
    .select()
    .from(contactMessages)
    .where(isFrom(email))
    .orderBy(asc(contactMessages.number))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  const replies = await db
    .select()
    .from(contactReplies)
    .where(inArray(contactReplies.messageId, ids))
    .orderBy(asc(contactReplies.createdAt), asc(contactReplies.id));
  return rows.map(({ id, number, ...message }) => ({
    reference: contactReference(number),
    ...message,
    replies: replies
      .filter(({ messageId }) => messageId === id)
      .map(({ text, createdAt }) => ({ text, createdAt })),
  }));
}

/** Deletes the messages of an address up to a time, with the answers and the e-mails about them. */
async function eraseContactMessages(
  tx: Db,
  person: PersonToErase,
  { mailFolder }: ShopContext,
): Promise<void> {
  const erasedMessages = await tx
    .delete(contactMessages)
    .where(and(isFrom(person.email), lte(contactMessages.createdAt, person.until)))
    .returning({ id: contactMessages.id });
  const ids = erasedMessages.map(({ id }) => id);
  await eraseMailAbout(tx, { subject: "messageId", ids, person }, mailFolder);
}

function isFrom(email: string) {
  return eq(sql`lower(${contactMessages.email})`, email);
}
