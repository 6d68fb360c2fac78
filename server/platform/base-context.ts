import type { Logger } from "pino";
import type { ViteDevServer } from "vite";
import type { Config } from "./config.ts";
import type { ChangeFeed } from "./database/change-feed.ts";
import type { Database, OpenDatabase } from "./database/database.ts";
import type { ApiResponse, ResponseDescription } from "./http/api-response.ts";
import type { Problem } from "./http/problem.ts";
import type { RateLimits } from "./http/rate-limit.ts";
import type { Metrics } from "./metrics.ts";
import type { Health } from "./process/health.ts";
import type { SecretsKey } from "./process/secrets-key.ts";

/** Provided by the process in run.ts, and by test/shop.ts for the tests' shop. */
export type ShopInput = {
  config: Config;
  /** URL for the change feed, which must not go through a pooler. */
  directDatabaseUrl: string;
  db: Database;
  database: Pick<OpenDatabase, "calls" | "connections" | "readSeparately" | "recheck" | "recentProblem">;
  log: Logger;
  /** Signs links in e-mails and cookies; the sandbox's webhook secret is derived from it. */
  secret: string;
  /** Absolute path of `build/`. */
  buildDir: string;
  /** Null if pages come from the build. */
  vite: ViteDevServer | null;
  /** Collects the state of this server's parts, such as the job workers, for /readyz. */
  health: Health;
  isStopping(): boolean;
  now(): Date;
  /** Called with every API response before it is sent; the tests' shop checks it against the response schema of its API row. */
  onResponse?(row: ResponseDescription, response: ApiResponse | Problem): void;
};

/**
 * The part of `ShopContext` without business features. Files whose types are part of `ShopContext` use `BaseContext`, so that
 * no type refers to itself through the context.
 */
export type BaseContext = ShopInput & {
  metrics: Metrics;
  /** Encrypts the keys stored in the database. */
  secretsKey: SecretsKey;
  changes: ChangeFeed;
  limits: RateLimits;
};
