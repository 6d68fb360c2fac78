import pino from "pino";
import type { ShopContext } from "../server/context.ts";
import { openContext } from "../server/open-context.ts";
import { parseConfig } from "../server/platform/config.ts";
import { createHealth } from "../server/platform/process/health.ts";
import type { TestDatabase } from "./database.ts";

/** A shop context on a test database, without a server. The caller stops its `changes`. */
export function openTestContext(
  database: TestDatabase,
  environment: Record<string, string> = {},
): Promise<ShopContext> {
  const parsed = parseConfig(environment);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return openContext({
    config: parsed.config,
    directDatabaseUrl: database.sessionUrl,
    db: database.db,
    database: database.opened,
    log: pino({ level: "silent" }),
    secret: "test-session-secret",
    buildDir: "build",
    vite: null,
    health: createHealth(),
    isStopping: () => false,
    now: () => new Date(),
  });
}
