import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import type pg from "pg";
import type { Logger } from "pino";
import { PreparedClient } from "../database/prepared-client.ts";
import { requireSession } from "../database/session-check.ts";

/** Namespace of the advisory locks that show which worker pools are alive. */
const livenessClass = 7081;
/** A pool that has just started may lock its first jobs a moment before it has its liveness lock. */
const youngestOrphanSeconds = 3;
/** How often the connection is probed (ms); no answer within this time counts as none. */
const beatMs = 4_000;
/** PostgreSQL closes a connection that was idle for this long, which releases its locks. */
const silenceSeconds = 12;

/**
 * A job locked by a killed process would stay locked for 4 hours. Therefore each process holds an advisory lock per worker pool
 * on a separate connection: other servers see when it vanishes with the process, its machine or its network.
 */
export async function holdLivenessLock(url: string) {
  const client = new PreparedClient({
    connectionString: url,
    application_name: "palmira-queue",
    connectionTimeoutMillis: beatMs,
    query_timeout: beatMs,
  });
  const broken = Promise.withResolvers<never>();
  // Callers that race it get the error; without any, it must not crash the process.
  broken.promise.catch(() => null);
  const lose = (cause?: Error) => broken.reject(new Error("the liveness lock is lost", { cause }));
  client.on("error", lose);
  client.on("end", () => lose());
  let beat: NodeJS.Timeout | undefined;
  const end = () => {
    clearInterval(beat);
    client.end().catch(() => null);
  };
  try {
    await client.connect();
    await requireSession(client, url);
    await client.identifyServer();
    await client.query(`set idle_session_timeout = '${silenceSeconds}s'`);
    await client.query('listen "jobs:insert"; listen "worker:migrate"');
  } catch (error) {
    end();
    throw error;
  }
  const self = randomUUID();
  // Queries run one after the other on this connection.
  let queue: Promise<unknown> = Promise.resolve();
  const ask = (statement: string, values?: unknown[]) => {
    queue = queue.then(() => client.query(statement, values)).catch(lose);
  };
  beat = setInterval(() => ask("select 1"), beatMs);
  return {
    /** Rejects once the locks are lost. */
    lost: broken.promise,
    show(workerPoolId: string): void {
      ask("select pg_advisory_lock($1, hashtext($2))", [livenessClass, workerPoolId]);
    },
    /** The queue's own connections, none of which has to listen: all lanes are notified on this one. */
    withEars: (pool: pg.Pool) => withEars(pool, client, self),
    /** Tells the other servers that jobs were queued: a notification without a write holds up no commit. */
    announceJobs: () =>
      ask("select pg_notify('jobs:insert', $1)", [JSON.stringify({ count: 1, from: self })]),
    /** Closes the connection, which frees the locks. */
    end,
  };
}

/**
 * The queue library takes a listening connection per lane, by callback, and connections for statements, by promise:
 * the former are given `client`, which listens already.
 */
function withEars(pool: pg.Pool, client: pg.Client, self: string): pg.Pool {
  const listen = (callback: (error: undefined, ear: unknown, release: () => void) => void): void => {
    const ear = Object.assign(new EventEmitter(), {
      async query() {
        setImmediate(() => ear.emit("drain"));
      },
    });
    const tell = (message: pg.Notification) => {
      // Its own workers were woken when they were queued.
      if (!message.payload?.includes(self)) ear.emit("notification", message);
    };
    client.on("notification", tell);
    setImmediate(callback, undefined, ear, () => client.off("notification", tell));
  };
  return new Proxy(pool, {
    get(target, name) {
      if (name === "connect")
        return (callback?: Parameters<typeof listen>[0]) => (callback ? listen(callback) : target.connect());
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Returns the jobs of dead pools to the queue. An interrupted attempt counts, so that no job is tried forever. */
export async function releaseOrphanedJobs(pool: pg.Pool, log: Logger): Promise<void> {
  const { rows } = await pool.query<{ pools: number }>(
    `with holders as materialized (
       select distinct locked_by from graphile_worker.jobs
       where locked_at < now() - make_interval(secs => $2)
     ), dead as materialized (
       select array_agg(locked_by) as ids from holders where pg_try_advisory_xact_lock($1, hashtext(locked_by))
     )
     select cardinality(ids) as pools, graphile_worker.force_unlock_workers(ids),
       pg_notify('jobs:insert', '{"count":' || cardinality(ids) || '}')
     from dead where ids is not null`,
    [livenessClass, youngestOrphanSeconds],
  );
  if (rows[0]) log.info({ pools: rows[0].pools }, "released the jobs of a dead process");
}
