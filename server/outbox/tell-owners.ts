import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { adminSessions } from "../admin/tables.ts";
import type { ShopContext } from "../context.ts";
import { people } from "../people/tables.ts";
import type { Db } from "../platform/database/database.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { enqueueMessages } from "./enqueue.ts";

/**
 * E-mails a change of rights or keys to every owner and to the configured owner's address; call it in the transaction of the
 * change. Recipients are fixed now, so that removing an address later does not suppress the alert. `what`: a sentence without its
 * full stop. `viewer` null: a command on the machine, which cannot read the address in the panel; it is looked up when sending.
 */
export async function tellOwners(
  { config, now }: Pick<ShopContext, "config" | "now">,
  tx: Db,
  { what, viewer }: { what: string; viewer: Viewer | null },
): Promise<void> {
  const owners = await tx
    .select({ email: people.email })
    .from(people)
    .where(and(eq(people.role, "owner"), isNotNull(people.joinedAt), isNull(people.deactivatedAt)));
  const [session] = viewer?.admin
    ? await tx
        .select({ browser: adminSessions.userAgent, address: adminSessions.lastAddress })
        .from(adminSessions)
        .where(eq(adminSessions.id, viewer.admin.sessionId))
    : [];
  const data = {
    what,
    who:
      viewer === null
        ? "Whoever runs commands on the shop’s machine"
        : (viewer.admin?.person?.name ?? "Whoever has the access code"),
    at: now().toISOString(),
    from: [session?.browser, session?.address].filter(Boolean).join(", "),
  };
  const addresses = new Map(
    [config.mail.ownerEmail, ...owners.map(({ email }) => email)].flatMap((email) =>
      email === null ? [] : [[email.toLowerCase(), email]],
    ),
  );
  const change = randomUUID();
  // Without any address it is kept, as all that is for the owner.
  const isLookedUp = addresses.size === 0 || (viewer === null && config.mail.ownerEmail === null);
  const recipients = [...addresses.values(), ...(isLookedUp ? [undefined] : [])];
  await enqueueMessages(
    tx,
    recipients.map((recipient, index) => ({
      kind: "owner_security",
      dedupeKey: `owner_security:${change}:${index}`,
      data,
      ...(recipient !== undefined && { recipient }),
    })),
  );
}
