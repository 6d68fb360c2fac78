import type { Logger } from "pino";
import type { ViteDevServer } from "vite";
import type { Config } from "../platform/config.ts";
import type { Database, OpenDatabase } from "../platform/database.ts";
import type { Health } from "../platform/health.ts";

export type ComposeInput = {
  config: Config;
  databaseUrl: string;
  db: Database;
  /** What its connections tell of themselves. */
  database: Pick<OpenDatabase, "connections" | "lookAnew" | "trouble">;
  log: Logger;
  /** Signs the links in e-mails; and, derived from it, the sandbox's events. */
  sessionSecret: string;
  /** Absolute path of `build/`. */
  buildDir: string;
  /** Null: pages come from the build. */
  vite: ViteDevServer | null;
  /** What this server needs in order to sell reports here. */
  health: Health;
  isStopping(): boolean;
  now(): Date;
};
