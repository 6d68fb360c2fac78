import type pg from "pg";
import type { Logger } from "pino";

/** Namespace of the advisory locks by which worker pools show that they are alive. */
const livenessClass = 7081;
/** A pool that has just started locks its first jobs a moment before it can show that it is alive. */
const youngestOrphanSeconds = 3;

/**
 * A job locked by a process that was killed would stay locked for 4 hours. So a process holds an advisory lock, named
 * after each of its worker pools, on a connection of its own: the locks die with it, and others see that.
 */
export async function openSignOfLife(pool: pg.Pool) {
  const client = await pool.connect();
  const lost = new Promise<never>((_, reject) => {
    client.once("error", (cause) => reject(new Error("the sign-of-life connection broke", { cause })));
  });
  // Whoever races it hears of it; nobody listening any more is no reason to crash.
  lost.catch(() => null);
  let queue: Promise<unknown> = Promise.resolve();
  return {
    lost,
    show(workerPoolId: string): void {
      const statement = "select pg_advisory_lock($1, hashtext($2))";
      queue = queue
        .then(() => client.query(statement, [livenessClass, workerPoolId]))
        .catch((error: Error) => client.emit("error", error));
    },
    end(): void {
      // Closed instead of handed back, which frees the locks.
      client.release(true);
    },
  };
}

/** Gives jobs of dead pools back to the queue. An attempt that was cut short counts, so that none is tried forever. */
export async function releaseOrphans(pool: pg.Pool, log: Logger): Promise<void> {
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
  if (rows[0]) log.info({ pools: rows[0].pools }, "took up the jobs of a process that had died");
}
