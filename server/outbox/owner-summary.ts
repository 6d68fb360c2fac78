import { and, eq, gt, sql } from "drizzle-orm";
import * as v from "valibot";
import type { SummedKind } from "../../domain/outbox/email.ts";
import type { Db } from "../platform/database/database.ts";
import type { Mail } from "./compose.ts";
import { enqueueMessages } from "./enqueue.ts";
import { messages } from "./tables.ts";

/** Separate e-mails to the owner per hour and kind; further items are counted in a summary. */
const singlesPerHour = 10;
const hourMs = 60 * 60 * 1000;

/** Kind of the e-mail about one item of a shopper -> page of the panel that lists all items. */
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
 * Enqueues an e-mail to the owner about an item of a shopper; in a flood the item is counted in the summary that is sent at the
 * end of the hour. True: it has a separate e-mail.
 */
export async function enqueueOwnerAlert(
  tx: Db,
  alert: { kind: SummedKind; dedupeKey: string; data: Record<string, string> },
  now: Date,
): Promise<boolean> {
  const { kind } = alert;
  if ((await tx.$count(messages, eq(messages.dedupeKey, alert.dedupeKey))) > 0) return false;
  const lately = and(eq(messages.kind, kind), gt(messages.createdAt, new Date(now.getTime() - hourMs)));
  if ((await tx.$count(messages, lately)) < singlesPerHour) {
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
