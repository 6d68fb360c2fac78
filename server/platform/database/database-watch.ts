import type { Health } from "../process/health.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { OpenDatabase } from "./database.ts";

const checkEveryMs = 1_000;

/**
 * Reports the database's state to `health`, regularly and on demand. Never waits for the connections of calls and
 * background work.
 */
export function watchDatabase(parts: {
  changes: Pick<ChangeFeed, "askDatabase" | "renew">;
  database: Pick<OpenDatabase, "recentProblem" | "recheck">;
  health: Health;
}): {
  check(): Promise<void>;
  /** Whether any check so far found the server able to sell. */
  hasBeenReady(): boolean;
  stop(): void;
} {
  const { changes, database, health } = parts;
  let runningCheck: Promise<void> | null = null;
  let hasBeenReady = false;
  async function checkDatabase(): Promise<void> {
    const feedState = await changes.askDatabase();
    const isReadOnly = feedState === "takes no writes";
    // Only a new connection shows the current state: existing ones keep their original permissions, or lead to a
    // server that is no longer the primary. Also, the feed may work while the pooler used by other connections does not.
    const needsRecheck = feedState !== null || database.recentProblem() !== null;
    const databaseState = needsRecheck ? await database.recheck() : null;
    if (isReadOnly && databaseState === null) changes.renew();
    health.report("database", databaseState);
    hasBeenReady ||= health.read().canSell;
  }
  const checkOnce = () => {
    runningCheck ??= checkDatabase().finally(() => {
      runningCheck = null;
    });
    return runningCheck;
  };
  const timer = setInterval(checkOnce, checkEveryMs);
  timer.unref();
  void checkOnce();
  return { check: checkOnce, hasBeenReady: () => hasBeenReady, stop: () => clearInterval(timer) };
}
