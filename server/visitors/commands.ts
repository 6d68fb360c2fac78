import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { visitors } from "./tables.ts";

/** Maximum number of visitors per network address who have only a cart; beyond it, the least recently seen are deleted. */
export const cartVisitorsPerNetwork = 300;
/** Usually one visitor is deleted; more only if the limit was lowered or a race exceeded it. */
const maxDeletedPerCall = 50;

/**
 * Inserts a visitor's row, or updates its `seenAt`. Call it first in a transaction that stores something for the visitor: the
 * row stays locked, so that the visitor is not purged before the transaction ends.
 */
export async function rememberVisitor(tx: Db, visitorId: VisitorId, now: Date): Promise<void> {
  await upsert(tx, { visitorId, network: null, now });
}

/** `rememberVisitor` as an SQL fragment, for statements that are compiled once. */
export function rememberVisitorSql(visitorId: Placeholder, now: Placeholder): SQL {
  return upsertSql({ visitorId, network: null, at: now });
}

/** Remembers a visitor who has only a cart. Their number per network is limited, since carts cost nothing to create. */
export async function rememberCartVisitor(
  tx: Db,
  { visitorId, network, now }: { visitorId: VisitorId; network: Buffer; now: Date },
): Promise<void> {
  const isNew = await upsert(tx, { visitorId, network, now });
  if (!isNew) return;
  // PostgreSQL checks the outer condition again for a visitor whose network a concurrent order has cleared.
  await tx.execute(sql`
    delete from ${visitors} where network = ${network} and id in (
      select id from ${visitors} where network = ${network} and id <> ${visitorId}
      order by seen_at desc offset ${cartVisitorsPerNetwork - 1} limit ${maxDeletedPerCall} for update skip locked)`);
}

/** Returns true if the visitor is new. */
async function upsert(
  tx: Db,
  { visitorId, network, now }: { visitorId: VisitorId; network: Buffer | null; now: Date },
): Promise<boolean> {
  const { rows } = await tx.execute<{ is_new: boolean }>(
    upsertSql({ visitorId, network, at: now.toISOString() }),
  );
  return rows[0]?.is_new ?? false;
}

function upsertSql({
  visitorId,
  network,
  at,
}: {
  visitorId: VisitorId | Placeholder;
  network: Buffer | null;
  at: string | Placeholder;
}): SQL {
  // A visitor with more than a cart no longer counts for its network. The update locks the row even without a change.
  return sql`
    insert into ${visitors} as known (id, network, created_at, seen_at) values (${visitorId}, ${network}, ${at}, ${at})
    on conflict (id) do update set seen_at = greatest(known.seen_at, excluded.seen_at),
      network = case when excluded.network is null then null else known.network end
    where known.seen_at < excluded.seen_at - interval '1 hour' or (excluded.network is null and known.network is not null)
    returning xmax = 0 as is_new`;
}
