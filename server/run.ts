import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "pino";
import { type Config, parseConfig, resolveArchiveDir } from "./platform/config.ts";
import {
  type Database,
  hasState,
  isDatabaseError,
  isDatabaseUnavailable,
  openDatabase,
  openPool,
} from "./platform/database/database.ts";
import { migrate } from "./platform/database/migrate.ts";
import { checkConnections } from "./platform/database/session-check.ts";
import { drizzleOn } from "./platform/database/transactions.ts";
import { maintainArchive } from "./platform/embedded-postgres/archive/maintenance.ts";
import { startPostgres } from "./platform/embedded-postgres/embedded-postgres.ts";
import { openHttpServer } from "./platform/http/http-server.ts";
import { startJobs } from "./platform/jobs/job-workers.ts";
import { createLog, ignoreBrokenOutput, inOneLine } from "./platform/log.ts";
import { checkDataDir, lockDataDir, makeDataDir } from "./platform/process/data-dir.ts";
import { readEnvironment } from "./platform/process/environment.ts";
import { createHealth } from "./platform/process/health.ts";
import { type ReadyFacts, readyLines } from "./platform/process/ready-lines.ts";
import { logUnhandledRejections, StartCancelled, shutdownOnSignal } from "./platform/process/shutdown.ts";
import { releaseStartMemory } from "./platform/process/start-performance.ts";
import { StartProblem } from "./platform/process/start-problem.ts";
import { startTracing } from "./platform/process/tracing.ts";
import { sessionSecret } from "./settings/installation.ts";
import { shareBuiltFiles } from "./site/built-files.ts";

ignoreBrokenOutput();
const environment = readEnvironment(process.env);
const parsed = parseConfig(environment);
if (parsed.ok) {
  const log = createLog(parsed.config.logLevel);
  const shutdown = shutdownOnSignal(log, parsed.config.drainSeconds * 1_000);
  await shutdown.whileStarting(start(parsed.config, log, shutdown));
} else {
  for (const problem of parsed.problems) console.error(problem);
  process.exitCode = 1;
}

async function start(
  config: Config,
  log: Logger,
  shutdown: ReturnType<typeof shutdownOnSignal>,
): Promise<void> {
  const health = createHealth();
  try {
    checkDataDir(config.dataDir);
    if (config.hasTracing) shutdown.closeLater("traces", await startTracing(environment));
    // Needed by the embedded database only. Otherwise the folder is a cache, which several servers may share.
    const isNeeded = config.databaseUrl === null;
    if (!isNeeded) makeDataDir(config.dataDir, { isNeeded });
    const lock = isNeeded ? lockDataDir(config.dataDir) : null;
    if (lock) shutdown.closeLater("data folder", () => lock.release());
    // Before the database, so that a port in use is reported immediately; responds with 503 until `serve`.
    const http = await openHttpServer(config);
    const publicUrl = config.port === 0 ? config.publicUrl.replace(/:0$/, `:${http.port}`) : config.publicUrl;

    const openingPostgres =
      config.databaseUrl === null
        ? startPostgres({
            dataDir: config.dataDir,
            log,
            backupDir: resolveArchiveDir(config),
            // Loading modules blocks this process, so it begins once the database's own processes are starting.
            onLaunch: () => void import("./shop.ts").catch(() => null),
          })
        : null;
    // Registered before the database has started: a signal during the start would otherwise leave it running.
    if (openingPostgres) {
      const startedPostgres = openingPostgres.catch(() => null);
      shutdown.closeLater("embedded database", async () => (await startedPostgres)?.stop());
    }
    const postgres = await openingPostgres;
    const { openShop } = await import("./shop.ts");
    if (shutdown.isStopping()) throw new StartCancelled();
    const databaseUrl = config.databaseUrl ?? postgres?.url ?? "";
    const directDatabaseUrl = config.databaseDirectUrl ?? databaseUrl;
    if (config.databaseUrl !== null) {
      const urls = {
        databaseUrl,
        directUrl: directDatabaseUrl,
        hasDirectUrl: config.databaseDirectUrl !== null,
      };
      await waitForDatabase(() => checkConnections(urls), config.databaseWaitSeconds, log);
    }
    const startPool = openPool(directDatabaseUrl, log, { name: "palmira-start", max: 2 });
    try {
      const backupRecords: ((db: Database) => Promise<void>)[] = [];
      await migrate(startPool, log, {
        beforeChange: async () => {
          if (!config.backups.runsBeforeMigration) return;
          log.info("the database is backed up before it is migrated");
          const { backUpBeforeMigration } = await import("./backup/commands.ts");
          backupRecords.push(await backUpBeforeMigration(directDatabaseUrl, config));
        },
      });
      for (const record of backupRecords) await record(drizzleOn(startPool));
    } finally {
      await startPool.end();
    }
    const database = openDatabase(databaseUrl, log, config.databaseLimits, directDatabaseUrl);
    shutdown.closeLater("database connections", () => database.end());
    logUnhandledRejections(log);

    const vite = process.env.PALMIRA_DEV === "1" ? await openVite() : null;
    if (vite) shutdown.closeLater("vite", () => vite.close());
    const secret = await sessionSecret(database.db, {
      configured: config.sessionSecret,
      dataDir: config.dataDir,
      log,
    });
    const buildDir = join(import.meta.dirname, "../build");
    const fileSharing = vite ? null : shareBuiltFiles(database.db, buildDir, log);
    // Registered immediately: a failed start waits for it before the database is closed.
    if (fileSharing) shutdown.closeLater("built files", async () => (await fileSharing).stop());
    const shop = await openShop({
      config: { ...config, publicUrl },
      directDatabaseUrl,
      db: database.db,
      database,
      log,
      secret,
      buildDir,
      vite,
      health,
      isStopping: shutdown.isStopping,
      now: () => new Date(),
    });
    shutdown.closeLater("shop", () => shop.close());
    // Completed before this build serves a page, because browsers may request its files from other servers.
    await fileSharing;
    const jobs = await startJobs({
      url: directDatabaseUrl,
      pool: database.pool,
      log,
      tasks: shop.tasks,
      cron: shop.cron,
      health,
      metrics: shop.ctx.metrics,
      concurrency: { mail: config.mail.connections },
      giveUp: (reason) => void shutdown.fail(`${reason}. The shop ends here and has to be started again.`),
    });
    shutdown.closeLater("background work", () => jobs.stop());
    if (postgres?.archive) {
      const { archive, dataFolder, url } = postgres;
      const timeZone = async () => (await shop.ctx.ownerSettings()).timeZone;
      const archiver = maintainArchive({ url, dataFolder, archive, log, timeZone });
      shutdown.closeLater("archive", () => archiver.stop());
    }

    // Registered last, so closed first: open requests still need everything above.
    shutdown.closeLater("http", () => http.drain(shutdown.noticeMs()));
    // Health checks over HTTP/1.0 have no Host header.
    const listener = getRequestListener(shop.app.fetch, { hostname: new URL(publicUrl).host });
    http.serve(
      vite
        ? (request, response) => vite.middlewares(request, response, () => listener(request, response))
        : (request, response) => {
            if (!shop.app.respondFromCache(request, response)) void listener(request, response);
          },
    );
    const lines = readyLines({
      publicUrl,
      newAccessCode: shop.newAccessCode,
      dataDir: config.dataDir,
      isDatabaseEmbedded: postgres !== null,
      payments: paymentsFact(shop.ctx.config),
      isMailSent: shop.ctx.config.mail.smtpUrl !== null,
    });
    console.log(lines.join("\n"));
    void shop.warmUp().then(releaseStartMemory);
  } catch (error) {
    if (error instanceof StartCancelled) return;
    if (error instanceof StartProblem) return shutdown.fail(error.message);
    log.debug({ err: error }, "the shop could not start");
    const cause = isDatabaseError(error) ? "the database failed: " : "";
    await shutdown.fail(`The shop could not start: ${cause}${inOneLine(error)}`);
  }
}

/**
 * Checks again each second while the database does not respond: after a power cut its machine may start later than this one.
 */
async function waitForDatabase(check: () => Promise<void>, seconds: number, log: Logger): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  for (let tries = 1; ; tries += 1) {
    try {
      return await check();
    } catch (error) {
      // Retrying cannot help against a wrong password.
      const isUnavailable =
        isDatabaseUnavailable(error) && !hasState(error, "28P01") && !hasState(error, "28000");
      if (!isUnavailable || performance.now() >= end) throw error;
      if (tries === 1) log.warn({ err: error, seconds }, "the database does not answer; waiting for it");
    }
    await delay(1_000);
  }
}

function paymentsFact({ payments, stripe }: Config): ReadyFacts["payments"] {
  return payments === "stripe" && stripe === null ? "none" : payments;
}

/** Vite compiles pages as their files change; in development only. */
async function openVite() {
  const { createServer } = await import("vite");
  const ownListeners = process.listeners("SIGTERM");
  const vite = await createServer({ server: { middlewareMode: true }, appType: "custom" });
  // A second Vite inside React Router's plugin would end the process before the database is closed.
  for (const listener of process.listeners("SIGTERM")) {
    if (!ownListeners.includes(listener)) process.off("SIGTERM", listener);
  }
  return vite;
}
