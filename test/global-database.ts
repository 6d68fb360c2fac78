import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import type { TestProject } from "vitest/node";
import { openPool } from "../server/platform/database/database.ts";
import { migrate } from "../server/platform/database/migrate.ts";
import { startPostgres } from "../server/platform/embedded-postgres/embedded-postgres.ts";
import { readPostmaster } from "../server/platform/embedded-postgres/postmaster.ts";
import { databaseSettings } from "./database-settings.ts";
import { withDatabase } from "./database-url.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Any database of the test server. */
    adminDatabaseUrl: string;
    /** Statement that copies the migrated database, to be appended to `create database <name>`. */
    fromTemplate: string;
  }
}

/** One PostgreSQL and one migrated template for the whole run: the embedded one, or that of TEST_DATABASE_URL. */
export default async function setup(project: TestProject) {
  const log = pino({ level: "silent" });
  const dataDir = mkdtempSync(join(tmpdir(), "palmira-test-"));
  const configuredUrl = process.env.TEST_DATABASE_URL;
  const embedded = configuredUrl
    ? null
    : await startPostgres({ dataDir, log, maxConnections: 100, settings: databaseSettings });
  // Ctrl+C ends Vitest's watch mode without its clean-up.
  const killDatabase = () => {
    const server = readPostmaster(join(dataDir, "postgres"));
    if (server) process.kill(server.pid, "SIGQUIT");
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  };
  if (embedded) process.once("exit", killDatabase);
  const adminDatabaseUrl = configuredUrl ?? embedded?.url ?? "";
  if (embedded) {
    // Proving a password costs both sides processor time, at each of the many connections that tests open.
    writeFileSync(
      join(embedded.dataFolder, "pg_hba.conf"),
      "local all all trust\nhost all all samehost trust\n",
    );
    await run(adminDatabaseUrl, "select pg_reload_conf()");
  }
  const templateDatabase = `palmira_template_${process.pid}`;

  await run(adminDatabaseUrl, `create database ${templateDatabase}`);
  const pool = openPool(withDatabase(adminDatabaseUrl, templateDatabase), log, {
    name: "palmira-tests",
    max: 2,
  });
  await migrate(pool, log);
  await pool.end();
  project.provide("adminDatabaseUrl", adminDatabaseUrl);
  // Copying files takes a fifth of the time of logging every page; before PostgreSQL 15 it is the only way.
  project.provide("fromTemplate", `template ${templateDatabase}${embedded ? " strategy file_copy" : ""}`);

  return async () => {
    await run(adminDatabaseUrl, `drop database ${templateDatabase}`);
    await embedded?.stop();
    process.off("exit", killDatabase);
    rmSync(dataDir, { recursive: true });
  };
}

async function run(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}
