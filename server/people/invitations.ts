import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, lt } from "drizzle-orm";
import { invitationHours } from "../../domain/people/person.ts";
import type { Role } from "../../domain/people/roles.ts";
import { oldInvitationDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { hashToken } from "../visitors/cookies.ts";
import { invitations, people } from "./tables.ts";

/**
 * Creates a person's single-use invitation link, which replaces an earlier one. It is e-mailed; without a mail server it is
 * returned, for the inviter to pass on.
 */
export async function makeInvitation(
  { config, mailer }: Pick<ShopContext, "config" | "mailer">,
  tx: Db,
  person: { id: string; email: string; invitedBy: string; now: Date },
): Promise<{ link: string | null }> {
  const token = randomBytes(32).toString("base64url");
  const tokenHash = hashToken(token);
  const expiresAt = new Date(person.now.getTime() + invitationHours * 60 * 60 * 1000);
  await tx
    .insert(invitations)
    .values({ personId: person.id, tokenHash, expiresAt })
    .onConflictDoUpdate({ target: invitations.personId, set: { tokenHash, expiresAt } });
  if (mailer === null) return { link: invitationLink(config.publicUrl, token) };
  await enqueueMessages(tx, [
    {
      kind: "panel_invitation",
      dedupeKey: `panel_invitation:${tokenHash.toString("hex")}`,
      recipient: person.email,
      data: { token, invitedBy: person.invitedBy },
    },
  ]);
  return { link: null };
}

export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl}/admin/join?token=${token}`;
}

const isUsable = (token: string, now: Date) =>
  and(eq(invitations.tokenHash, hashToken(token)), gt(invitations.expiresAt, now));

/** The person of a link, which stays valid; null if the link was used, replaced, withdrawn, or has expired. */
export async function findInvitation(
  db: Db,
  token: string,
  now: Date,
): Promise<{ personId: string; name: string; email: string; role: Role; expiresAt: Date } | null> {
  const [invitation] = await db
    .select({
      personId: people.id,
      name: people.name,
      email: people.email,
      role: people.role,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .innerJoin(people, eq(people.id, invitations.personId))
    .where(and(isUsable(token, now), isNull(people.deactivatedAt)));
  return invitation ? { ...invitation, email: invitation.email ?? "" } : null;
}

/** Consumes a link and returns its person. Of two concurrent calls, only one succeeds. */
export async function redeemInvitation(
  tx: Db,
  token: string,
  now: Date,
): Promise<{ id: string; name: string } | null> {
  const [invitation] = await tx
    .delete(invitations)
    .where(isUsable(token, now))
    .returning({ personId: invitations.personId });
  if (!invitation) return null;
  const [person] = await tx
    .select()
    .from(people)
    .where(and(eq(people.id, invitation.personId), isNull(people.deactivatedAt)))
    .for("update");
  if (!person) return null;
  if (person.joinedAt === null)
    await tx.update(people).set({ joinedAt: now }).where(eq(people.id, person.id));
  return { id: person.id, name: person.name };
}

/** Deletes the link of one person, or all links. */
export async function endInvitations(tx: Db, personId?: string): Promise<number> {
  const { rowCount } = await tx
    .delete(invitations)
    .where(personId === undefined ? undefined : eq(invitations.personId, personId));
  return rowCount ?? 0;
}

export async function purgeInvitations({ db, now }: ShopContext): Promise<void> {
  const until = new Date(now().getTime() - oldInvitationDays * 24 * 60 * 60 * 1000);
  await deleteInBatches(db, invitations, lt(invitations.expiresAt, until));
}
