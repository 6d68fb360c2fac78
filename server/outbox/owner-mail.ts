import { randomUUID } from "node:crypto";
import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import type { SummedKind } from "../../domain/outbox/email.ts";
import { adminSessions } from "../admin/tables.ts";
import type { ShopContext } from "../context.ts";
import { people } from "../people/tables.ts";
import type { Db } from "../platform/database/database.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import type { Mail } from "./compose.ts";
import { enqueueMessages } from "./enqueue.ts";
import { messages } from "./tables.ts";

/** Maximum number of separate e-mails to the owner per hour and kind; further items are counted in a summary. */
const separateEmailsPerHour = 10;
const hourMs = 60 * 60 * 1000;

/** Kinds of e-mails about one item of a shopper, with the panel's page that lists all items. */
const summedKinds = {
  owner_contact: "/messages",
  owner_question: "/questions",
  owner_review: "/reviews",
} satisfies Record<SummedKind, string>;

const summaryData = v.object({
  of: v.picklist(Object.keys(summedKinds) as [SummedKind, ...SummedKind[]]),
  count: v.pipe(v.string(), v.transform(Number), v.integer()),
});

/**
 * Enqueues an e-mail to the owner about an item of a shopper. In a flood, counts the item in a summary sent at the end of the
 * hour. Returns true if the item gets a separate e-mail.
 */
export async function enqueueOwnerAlert(
  tx: Db,
  alert: { kind: SummedKind; dedupeKey: string; data: Record<string, string> },
  now: Date,
): Promise<boolean> {
  const { kind } = alert;
  if ((await tx.$count(messages, eq(messages.dedupeKey, alert.dedupeKey))) > 0) return false;
  const isRecent = and(eq(messages.kind, kind), gt(messages.createdAt, new Date(now.getTime() - hourMs)));
  if ((await tx.$count(messages, isRecent)) < separateEmailsPerHour) {
    await enqueueMessages(tx, [alert]);
    return true;
  }
  const hour = Math.floor(now.getTime() / hourMs);
  const dedupeKey = `owner_summary:${kind}:${hour}`;
  const summary = { kind: "owner_summary", dedupeKey, data: { of: kind, count: "0" } } as const;
  await enqueueMessages(tx, [summary], new Date((hour + 1) * hourMs));
  await tx
    .update(messages)
    .set({
      data: sql`jsonb_set(${messages.data}, '{count}', to_jsonb(((${messages.data} ->> 'count')::int + 1)::text))`,
    })
    .where(eq(messages.dedupeKey, dedupeKey));
  return false;
}

export const summaryMail = {
  async owner_summary({ owner, adminUrl }, { data }) {
    const { of, count } = v.parse(summaryData, data);
    return { ...owner, email: { kind: "owner_summary", of, count, adminUrl: adminUrl + summedKinds[of] } };
  },
} satisfies Mail;

/**
 * E-mails every owner and the configured owner's address about a change of rights or keys; call it in the transaction of the
 * change. Recipients are stored now, so that removing an address later does not suppress the alert. `what`: a sentence without
 * its period. `viewer` is null for a command on the machine, which cannot read the address in the panel; it is read when sending.
 */
export async function notifyOwners(
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
  // If there is no address, the e-mail is stored unsent, like every e-mail to the owner.
  const isFoundWhenSent = addresses.size === 0 || (viewer === null && config.mail.ownerEmail === null);
  const recipients = [...addresses.values(), ...(isFoundWhenSent ? [undefined] : [])];
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
