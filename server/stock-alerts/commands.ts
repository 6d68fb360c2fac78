import { and, isNull, lt, or } from "drizzle-orm";
import { sentStockAlertDays, stockAlertDays, unconfirmedDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { stockAlerts } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes what was never confirmed, what was sent a while ago, and what has waited too long. */
export async function purgeStockAlerts({ db, now: clock }: ShopContext): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * dayMs);
  const { askedAt, confirmedAt, notifiedAt } = stockAlerts;
  await deleteInBatches(
    db,
    stockAlerts,
    or(
      lt(askedAt, before(stockAlertDays)),
      // Nothing was sent before it was asked for: the index finds these, too.
      and(lt(askedAt, before(sentStockAlertDays)), lt(notifiedAt, before(sentStockAlertDays))),
      and(lt(askedAt, before(unconfirmedDays)), isNull(confirmedAt)),
    ),
  );
}
