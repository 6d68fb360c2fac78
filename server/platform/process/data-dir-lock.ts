import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartProblem } from "./start-problem.ts";

/**
 * Locks `dataDir` for this process. SQLite is used only for its file lock: the operating system releases it with the
 * process, even after `kill -9`, so there is no stale lock to interpret. Throws StartProblem if another shop has it.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = new DatabaseSync(join(dataDir, "lock"), { timeout: 0 });
  try {
    file.exec("begin exclusive");
  } catch (error) {
    file.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === 5;
    if (!isBusy) throw error;
    throw new StartProblem(
      `Another shop is already running on ${dataDir}. Stop it first, or give this one a DATA_DIR of its own.`,
    );
  }
  return { release: () => file.close() };
}
