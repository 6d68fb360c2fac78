import type { Health } from "../process/health.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { OpenDatabase } from "./database.ts";

const lookEveryMs = 1_000;

/**
 * Reports the database's state to `health`, regularly and on demand. Never waits for the connections of calls and
 * background work.
 */
export function watchDatabase(parts: {
  changes: Pick<ChangeFeed, "askDatabase" | "renew">;
  database: Pick<OpenDatabase, "trouble" | "recheck">;
  health: Health;
}): {
  look(): Promise<void>;
  /** Whether nothing kept the server from selling at the end of any look so far. */
  hasBeenReady(): boolean;
  stop(): void;
} {
  const { changes, database, health } = parts;
  let looking: Promise<void> | null = null;
  let hasBeenReady = false;
  async function look(): Promise<void> {
    const feedState = await changes.askDatabase();
    const isReadOnly = feedState === "takes no writes";
    // Only a new connection shows what holds now: others keep the rights they were opened with, or lead to a server that
    // lost its place to another. And the feed may be fine where a pooler, which the others go through, is not.
    const isDoubtful = feedState !== null || database.trouble() !== null;
    const databaseState = isDoubtful ? await database.recheck() : null;
    if (isReadOnly && databaseState === null) changes.renew();
    health.report("database", databaseState);
    hasBeenReady ||= health.read().canSell;
  }
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  const timer = setInterval(lookOnce, lookEveryMs);
  timer.unref();
  void lookOnce();
  return { look: lookOnce, hasBeenReady: () => hasBeenReady, stop: () => clearInterval(timer) };
}
