import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { visitors } from "./tables.ts";

/** Visitors with nothing but a cart that one network address may have; beyond it those seen longest ago are forgotten. */
export const cartVisitorsPerNetwork = 300;
/** One at a time would do; what a lower limit or a race has left is gone after a few. */
const forgottenAtOnce = 50;

/**
 * Writes down that there is something to remember of a visitor; call it in the transaction that does, before it. Until that
 * ends nobody forgets the visitor.
 */
export async function rememberVisitor(tx: Db, visitorId: VisitorId, now: Date): Promise<void> {
  await upsert(tx, { visitorId, network: null, now });
}

/** The same as part of a statement. */
export function visitorRemembered(visitorId: VisitorId, now: Date): SQL {
  return upsertOf({ visitorId, network: null, now });
}

/** The same for a cart alone: anybody may have any number of those, so that a network has to share a limited number. */
export async function rememberCartOf(
  tx: Db,
  { visitorId, network, now }: { visitorId: VisitorId; network: Buffer; now: Date },
): Promise<void> {
  const isNew = await upsert(tx, { visitorId, network, now });
  if (!isNew) return;
  // The outer condition is looked at again where an order has come between.
  await tx.execute(sql`
    delete from ${visitors} where network = ${network} and id in (
      select id from ${visitors} where network = ${network} and id <> ${visitorId}
      order by seen_at desc offset ${cartVisitorsPerNetwork - 1} limit ${forgottenAtOnce} for update skip locked)`);
}

/** Whether it was not written down before. */
async function upsert(
  tx: Db,
  { visitorId, network, now }: { visitorId: VisitorId; network: Buffer | null; now: Date },
): Promise<boolean> {
  const { rows } = await tx.execute<{ is_new: boolean }>(upsertOf({ visitorId, network, now }));
  return rows[0]?.is_new ?? false;
}

function upsertOf({
  visitorId,
  network,
  now,
}: {
  visitorId: VisitorId;
  network: Buffer | null;
  now: Date;
}): SQL {
  const at = now.toISOString();
  // Who has more than a cart is counted under no network any more. The row is locked also where nothing changes.
  return sql`
    insert into ${visitors} as known (id, network, created_at, seen_at) values (${visitorId}, ${network}, ${at}, ${at})
    on conflict (id) do update set seen_at = greatest(known.seen_at, excluded.seen_at),
      network = case when excluded.network is null then null else known.network end
    where known.seen_at < excluded.seen_at - interval '1 hour' or (excluded.network is null and known.network is not null)
    returning xmax = 0 as is_new`;
}
