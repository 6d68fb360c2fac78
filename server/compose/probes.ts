import { sql } from "drizzle-orm";
import { orders } from "../orders/tables.ts";
import type { ChangeFeed } from "../platform/change-feed.ts";
import type { Database, OpenDatabase } from "../platform/database.ts";
import type { Health } from "../platform/health.ts";

const lookEveryMs = 5_000;

/** How many orders there are of each status, for the metrics. */
export async function countOrders(db: Database): Promise<Record<string, number>> {
  const rows = await db
    .select({ status: orders.status, count: sql<number>`count(*)::int` })
    .from(orders)
    .groupBy(orders.status);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/**
 * Tells `health` how the database is doing: now and then, and whenever it is called. Never waits for the connections that
 * calls and background work use.
 */
export function watchDatabase(parts: {
  changes: Pick<ChangeFeed, "askDatabase" | "renew">;
  database: Pick<OpenDatabase, "trouble" | "lookAnew">;
  health: Health;
}): { look(): Promise<void>; stop(): void } {
  const { changes, database, health } = parts;
  let looking: Promise<void> | null = null;
  async function look(): Promise<void> {
    const told = await changes.askDatabase();
    // A connection keeps the rights it was opened with: only a new one shows what the database allows by now.
    const isDoubtful = told === "takes no writes" || database.trouble() !== null;
    const found = isDoubtful ? await database.lookAnew() : told;
    if (told !== null && found === null) changes.renew();
    health.report("database", found);
  }
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  const timer = setInterval(lookOnce, lookEveryMs);
  timer.unref();
  return { look: lookOnce, stop: () => clearInterval(timer) };
}
