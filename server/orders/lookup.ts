import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Database, Db } from "../platform/database.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { hashToken } from "../visitors/cookies.ts";
import { attachOrdersOf } from "./commands.ts";
import { orderLookups, orders } from "./tables.ts";

const lookupLinkMs = 60 * 60 * 1000;

/** Sends the link; `lookupId` names the request without giving its token away. */
export type SendLookupLink = (
  tx: Db,
  lookup: { lookupId: string; email: string; token: string; expiresAt: Date },
) => Promise<void>;

/**
 * Makes a "find my order" link for an address that has orders, and hands its token to `send`, in one transaction. For an
 * unknown address nothing happens; the caller answers the same either way.
 */
export async function requestLookup(
  db: Database,
  input: { email: string; now: Date; send: SendLookupLink },
): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  await db.transaction(async (tx) => {
    const [known] = await tx
      .select({ email: orders.email })
      .from(orders)
      .where(eq(sql`lower(${orders.email})`, input.email.toLowerCase()))
      .limit(1);
    if (!known) return;
    const tokenHash = hashToken(token);
    const expiresAt = new Date(input.now.getTime() + lookupLinkMs);
    await tx.insert(orderLookups).values({ tokenHash, email: known.email, expiresAt });
    await input.send(tx, { lookupId: tokenHash.toString("hex"), email: known.email, token, expiresAt });
  });
}

export async function isLookupUsable(db: Db, token: string, now: Date): Promise<boolean> {
  const [lookup] = await db
    .select({ email: orderLookups.email })
    .from(orderLookups)
    .where(
      and(
        eq(orderLookups.tokenHash, hashToken(token)),
        isNull(orderLookups.usedAt),
        gt(orderLookups.expiresAt, now),
      ),
    );
  return lookup !== undefined;
}

/** Uses a link up: its address's orders are shown to this browser from now on. False for a link that is spent or old. */
export async function spendLookup(
  db: Database,
  input: { token: string; visitorId: VisitorId; now: Date },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [spent] = await tx
      .update(orderLookups)
      .set({ usedAt: input.now })
      .where(
        and(
          eq(orderLookups.tokenHash, hashToken(input.token)),
          isNull(orderLookups.usedAt),
          gt(orderLookups.expiresAt, input.now),
        ),
      )
      .returning({ email: orderLookups.email });
    if (!spent) return false;
    await attachOrdersOf(tx, spent.email, input.visitorId);
    return true;
  });
}

/** Deletes links that ended more than a day ago. */
export async function forgetLookups(db: Db, now: Date): Promise<void> {
  await db
    .delete(orderLookups)
    .where(lt(orderLookups.expiresAt, new Date(now.getTime() - 24 * lookupLinkMs)));
}
