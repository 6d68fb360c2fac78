import { and, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { type MessageKind, messages } from "./tables.ts";

/** Anybody can type anybody's address: more confirmations than these a day would be a nuisance. */
const perDay = 3;

/** Whether an address has had as many e-mails of a kind in 24 hours as a stranger may cause. */
export async function wasSentOften(
  tx: Db,
  { kind, email, now }: { kind: MessageKind; email: string; now: Date },
): Promise<boolean> {
  const since = new Date(now.getTime() - 24 * 60 * 60 * 1000);
  const ofDay = and(
    eq(messages.kind, kind),
    eq(sql`lower(${messages.recipient})`, email.toLowerCase()),
    gt(messages.createdAt, since),
  );
  return (await tx.$count(messages, ofDay)) >= perDay;
}
