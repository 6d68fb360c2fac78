import { and, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { type MessageKind, messages } from "./tables.ts";

type Share = { perHour?: number; perDay: number };

/** The kinds that anybody can have sent to anybody's address by typing it, and how many of each a mailbox may get. */
const strangersKinds = {
  order_lookup: { perDay: 10 },
  data_export: { perDay: 5 },
  data_deletion: { perDay: 5 },
  contact_receipt: { perHour: 3, perDay: 6 },
  newsletter_confirm: { perDay: 3 },
  stock_alert_confirm: { perDay: 3 },
  cart_reminder: { perDay: 1 },
} satisfies Partial<Record<MessageKind, Share>>;
type StrangersKind = keyof typeof strangersKinds;
/** Of all these kinds together. */
const allPerDay = 15;

const hourMs = 60 * 60 * 1000;

/**
 * Whether a mailbox may get one more e-mail of a kind that a stranger can cause. Until the transaction ends no other one asks
 * for the same mailbox: of two at once the second sees the first's message.
 */
export async function mayMailStranger(
  tx: Db,
  { kind, email, now }: { kind: StrangersKind; email: string; now: Date },
): Promise<boolean> {
  const mailbox = mailboxOf(sql`${email}::text`);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('strangers_mail:' || ${mailbox}, 0))`);
  const kinds = Object.keys(strangersKinds) as StrangersKind[];
  const sent = await tx
    .select({ kind: messages.kind, createdAt: messages.createdAt })
    .from(messages)
    .where(
      and(
        inArray(messages.kind, kinds),
        gt(messages.createdAt, new Date(now.getTime() - 24 * hourMs)),
        sql`${mailboxOf(sql`${messages.recipient}`)} = ${mailbox}`,
      ),
    );
  const same = sent.filter((message) => message.kind === kind);
  const ofHour = same.filter(({ createdAt }) => createdAt.getTime() > now.getTime() - hourMs);
  const { perHour = Number.POSITIVE_INFINITY, perDay }: Share = strangersKinds[kind];
  return sent.length < allPerDay && same.length < perDay && ofHour.length < perHour;
}

/** One mailbox has any number of addresses: what follows a plus sign says nothing, nor do the dots of Gmail's. */
function mailboxOf(address: SQL): SQL {
  const plain = sql`regexp_replace(lower(${address}), '^([^+@]+)[+][^@]*@', '\\1@')`;
  return sql`case when split_part(${plain}, '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(${plain}, '@', 1), '.', '') || '@gmail.com' else ${plain} end`;
}
