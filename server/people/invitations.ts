import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull } from "drizzle-orm";
import { invitationHours } from "../../domain/people/person.ts";
import type { Role } from "../../domain/people/roles.ts";
import type { ShopContext } from "../context.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { hashToken } from "../visitors/cookies.ts";
import { invitations, people } from "./tables.ts";

/**
 * Makes a person's link, which works once; one made before works no more. It is e-mailed, or answered where the shop has
 * no mail server: then whoever invites hands it on.
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

/** Whom a link lets in; null: it was used, replaced or taken back, or is too old. Uses nothing up. */
export async function findInvitation(
  db: Db,
  token: string,
  now: Date,
): Promise<{ personId: string; name: string; email: string; role: Role; expiresAt: Date } | null> {
  const [found] = await db
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
  return found ?? null;
}

/** Uses a link up. Of two at once, one gets the person. */
export async function redeemInvitation(
  tx: Db,
  token: string,
  now: Date,
): Promise<{ id: string; name: string } | null> {
  const [spent] = await tx
    .delete(invitations)
    .where(isUsable(token, now))
    .returning({ personId: invitations.personId });
  if (!spent) return null;
  const [person] = await tx
    .select()
    .from(people)
    .where(and(eq(people.id, spent.personId), isNull(people.deactivatedAt)))
    .for("update");
  if (!person) return null;
  if (person.joinedAt === null)
    await tx.update(people).set({ joinedAt: now }).where(eq(people.id, person.id));
  return { id: person.id, name: person.name };
}

/** Takes one person's link back, or every link. */
export async function endInvitations(tx: Db, personId?: string): Promise<number> {
  const { rowCount } = await tx
    .delete(invitations)
    .where(personId === undefined ? undefined : eq(invitations.personId, personId));
  return rowCount ?? 0;
}
