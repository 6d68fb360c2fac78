import { randomInt } from "node:crypto";
import type pg from "pg";
import { StartProblem } from "../process/start-problem.ts";
import { connectSeparately } from "./database.ts";
import type { PreparedClient } from "./prepared-client.ts";

const responseTimeoutMs = 5_000;
/** Repetitions of the check, since a busy pooler may use the same process or different ones by chance. */
const rounds = 5;

/**
 * Throws unless session settings, advisory locks and LISTEN of `client` work: a pooler in transaction mode loses them
 * silently.
 */
export async function requireSession(client: PreparedClient, url: string): Promise<void> {
  if ((await readBackendPid(client)) === client.initialPid) return;
  if (await losesSessions(client, url)) throw new LostSession();
}

class LostSession extends Error {
  override message =
    "a pooler in transaction mode is in between: DATABASE_DIRECT_URL must lead to PostgreSQL itself";
}

/** Whether a pooler shares server processes: one connection uses several of them, or two connections use the same one. */
async function losesSessions(client: PreparedClient, url: string): Promise<boolean> {
  const secondClient = await connect(url);
  try {
    const firstPid = await readBackendPid(client);
    for (let round = 0; round < rounds; round += 1) {
      if ((await readBackendPid(secondClient)) === firstPid || (await readBackendPid(client)) !== firstPid)
        return true;
    }
    return false;
  } finally {
    secondClient.end().catch(() => {});
  }
}

/**
 * Throws StartProblem if the direct URL leads to a pooler, or to another database than `databaseUrl`; otherwise
 * notifications would never arrive.
 */
export async function checkConnections(urls: {
  databaseUrl: string;
  directUrl: string;
  hasDirectUrl: boolean;
}): Promise<void> {
  const { databaseUrl, directUrl, hasDirectUrl } = urls;
  const variable = hasDirectUrl ? "DATABASE_DIRECT_URL" : "DATABASE_URL";
  const direct = await connect(directUrl).catch(throwUnusable(variable));
  try {
    await requireSession(direct, directUrl).catch((error: unknown) => {
      if (!(error instanceof LostSession)) return throwUnusable(variable)(error);
      throw new StartProblem(
        hasDirectUrl
          ? "DATABASE_DIRECT_URL: leads to a pooler in transaction mode; it must lead to PostgreSQL itself."
          : "DATABASE_DIRECT_URL: is missing, and DATABASE_URL leads to a pooler in transaction mode. Notifications, locks, background work and migrations need PostgreSQL’s own address there.",
      );
    });
    if (directUrl === databaseUrl) return;
    const pooled = await connect(databaseUrl).catch(throwUnusable("DATABASE_URL"));
    try {
      if (await areDifferentDatabases(direct, pooled)) {
        throw new StartProblem("DATABASE_DIRECT_URL: leads to another database than DATABASE_URL.");
      }
    } catch (error) {
      if (error instanceof StartProblem) throw error;
      throwUnusable("DATABASE_URL")(error);
    } finally {
      pooled.end().catch(() => {});
    }
  } finally {
    direct.end().catch(() => {});
  }
}

/** Tests with an advisory lock whether both connections lead to different databases. */
async function areDifferentDatabases(direct: PreparedClient, pooled: PreparedClient): Promise<boolean> {
  const key = randomInt(2 ** 40);
  await direct.query(`select pg_advisory_lock(${key})`);
  const { rows } = await pooled.query(`select pg_try_advisory_xact_lock(${key}) as is_free`);
  return rows[0].is_free;
}

const throwUnusable = (variable: string) => (error: unknown) => {
  const reason = error instanceof Error ? error.message || String(error) : String(error);
  throw new StartProblem(`${variable}: the database cannot be used: ${reason}`, { cause: error });
};

const connect = (url: string) => connectSeparately(url, responseTimeoutMs, "palmira-start");

async function readBackendPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  if (!rows[0]) throw new Error("a query returned no row");
  return rows[0].pid;
}
