import { setTimeout as wait } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Logger } from "pino";
import { askOnce, fullState, hasState, isDatabaseUnavailable, openPool } from "../database/database.ts";
import { defaultDatabaseLimits, queueConnections } from "../database/database-limits.ts";
import { readOnlyState } from "../database/prepared-client.ts";
import { inOneLine } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Health } from "../process/health.ts";
import { recordOrderId, runAsWork, workAttributes } from "../process/running-work.ts";
import { withSpan } from "../process/tracing.ts";
import { isBusy } from "./busy.ts";
import { type Job, moreToDo, type RecurringTask, startRecurring, type Task } from "./jobs.ts";
import { type Lease, type Outcome, pollStatement, retrySeconds } from "./leases.ts";
import { onJobQueued } from "./queued.ts";

type LaneName = Job["lane"];
/** How many jobs of each lane a process runs at once. */
type LaneConcurrency = Record<LaneName, number>;
/** Metrics of the jobs that run here. */
type JobMetrics = Pick<Metrics, "beginJob" | "setLanes" | "setQueuePool">;

/**
 * `money` runs two more jobs than it has long recurring ones (expiry, reconciliation, event catch-up, payment openings without a
 * response), so that a payment's events never wait for them. `upkeep` runs one at a time, because on a busy server it should
 * wait and not slow down orders. `mail` runs as many as the mail server allows. Newsletters have a separate lane (`letters`), so
 * that no e-mail about an order waits for one; so do webhooks, whose receivers may take ten seconds each.
 */
const defaultConcurrency: LaneConcurrency = {
  money: 6,
  mail: 8,
  letters: 2,
  webhooks: 8,
  upkeep: 1,
  long: 1,
};
type Timing = {
  /** Jobs that other servers queued, or that become due, wait at most this long (ms). */
  pollMs: number;
  /** Jobs queued and finished within this time (ms) share a statement. */
  batchMs: number;
  /** The same while jobs wait for a free slot. */
  backlogBatchMs: number;
  /**
   * The result of a finished job is stored at most this long (ms) afterwards, together with others', or at once if its slot is
   * needed. While the process is busy with calls, queued jobs may also wait this long.
   */
  settleMs: number;
  /** Pause after a failed attempt; the first is 1. */
  retrySeconds(attempt: number): number;
};
export const defaultTiming: Timing = {
  pollMs: 1_000,
  batchMs: 30,
  backlogBatchMs: 10,
  settleMs: 100,
  retrySeconds,
};
/** Leases older than this (ms) are renewed. */
const renewAfterMs = 3_000;
const stopTimeoutMs = 5_000;
/**
 * If the database's clock goes back by more than this (ms), recurring work is due immediately, and the times of other jobs are
 * corrected: they may be hours away.
 */
const clockBackMs = 60_000;
/** Time (ms) after the beginning of a stop at which running jobs are aborted. */
const abortAfterMs = 3_500;
/** Pauses (ms) after failures; doubled with each. */
const shortestPauseMs = 250;
const longestPauseMs = 10_000;
/** Number of failures in a row, over at least half a minute and with a working database, after which the process stops trying. */
const maxFailures = 8;
/**
 * The queue counts as unavailable after this time (ms) without a response, which leaves time for another try before a lease
 * ends.
 */
const queueTimeoutMs = 4_000;
/** SQL state: too many connections. */
const tooManyConnectionsState = "53300";
/** Time limit (minutes) of a job, so that a hanging one does not block its worker forever; it is retried. */
const limitMinutes = 15;
/** `long`: a backup with its test; one that takes longer counts as lost. */
const limitMinutesByLane: Partial<Record<LaneName, number>> = { upkeep: 60, long: 3 * 60 };

type Options = {
  /** The workers' database URL, which bypasses a pooler. */
  url: string;
  pool: pg.Pool;
  log: Logger;
  tasks: readonly Task[];
  cron?: readonly RecurringTask[];
  health?: Health;
  metrics?: JobMetrics;
  concurrency?: Partial<LaneConcurrency>;
  timing?: Timing;
  giveUp?: (reason: string) => void;
};

/**
 * Starts the workers. Recurring tasks run at once and then at their interval, however many servers there are. `giveUp` is
 * called once, with the reason, when the queue cannot be read although the database works. `stop` takes no more work and
 * waits for running jobs, 5 s at most; the next start runs unfinished ones again.
 */
export async function startJobs(options: Options): Promise<{ stop(): Promise<void> }> {
  const { log, pool, cron = [] } = options;
  await startRecurring(drizzle(pool), cron);
  const stopping = new AbortController();
  const work = new Workers(options, stopping.signal).run();
  return {
    async stop() {
      stopping.abort();
      const stopped = work.then(() => true);
      if (!(await Promise.race([stopped, wait(stopTimeoutMs, false, { ref: false })]))) {
        log.warn("some background work did not finish in time; the next start resumes it");
      }
    },
  };
}

/** A job of this process, and the time (by `performance.now()`) at which its lease was last renewed. */
type RunningJob = { lease: Lease; renewedAt: number; abort: AbortController };

class Workers {
  readonly #options: Options;
  readonly #queue: pg.Pool;
  readonly #slots: LaneConcurrency;
  readonly #timing: Timing;
  readonly #tasks: ReadonlyMap<string, { task: Task; everySeconds: number | null }>;
  readonly #running = new Set<RunningJob>();
  readonly #stopping: AbortSignal;
  #outcomes: Outcome[] = [];
  /** The database's clock minus that of `performance.now()`, in milliseconds. */
  #clockOffsetMs = 0;
  #wakeUp = Promise.withResolvers<void>();

  constructor(options: Options, stopping: AbortSignal) {
    const { url, log, tasks, cron = [], metrics } = options;
    this.#options = options;
    this.#stopping = stopping;
    this.#slots = { ...defaultConcurrency, ...options.concurrency };
    this.#timing = options.timing ?? defaultTiming;
    const kinds = [...tasks.map((task) => ({ task, everySeconds: null })), ...cron];
    this.#tasks = new Map(kinds.map((kind) => [kind.task.job.name, kind]));
    this.#queue = openPool(url, log, {
      name: "palmira-queue",
      max: queueConnections,
      limits: { ...defaultDatabaseLimits, jobStatementSeconds: queueTimeoutMs / 1_000 },
      responseTimeoutMs: queueTimeoutMs,
    });
    metrics?.setLanes(this.#slots);
    metrics?.setQueuePool(this.#queue);
  }

  /** Runs jobs until the process stops, and then until the running ones have ended. */
  async run(): Promise<void> {
    const stopping = this.#stopping;
    const { log, health, giveUp } = this.#options;
    const { pollMs, batchMs, backlogBatchMs, settleMs } = this.#timing;
    const wake = () => this.#wakeUp.resolve();
    const stopListening = onJobQueued(wake);
    let abortTimer: NodeJS.Timeout | undefined;
    stopping.addEventListener("abort", () => {
      wake();
      abortTimer = setTimeout(() => this.#abortJobs(), abortAfterMs);
    });
    /** Consecutive failures; `ownFailures`: consecutive ones that the database did not cause. */
    let failures = 0;
    let ownFailures = 0;
    const lanes = Object.keys(this.#slots).length;
    const isOver = () => stopping.aborted && this.#running.size === 0 && this.#outcomes.length === 0;
    while (!isOver()) {
      this.#wakeUp = Promise.withResolvers();
      const startedAt = performance.now();
      let pauseMs = this.#freeSlots().length < lanes ? backlogBatchMs : isBusy() ? settleMs : batchMs;
      try {
        await this.#poll();
        failures = ownFailures = 0;
        health?.report("workers", null);
        const timer = setTimeout(wake, isOver() ? 0 : pollMs);
        await this.#wakeUp.promise;
        clearTimeout(timer);
      } catch (error) {
        // The results of running jobs are lost; other servers run them again once their leases end.
        if (stopping.aborted) {
          this.#abortJobs();
          break;
        }
        health?.report("workers", "background work has stopped; the log says why");
        failures += 1;
        ownFailures = (await isDatabaseCause(this.#options.url, error)) ? 0 : ownFailures + 1;
        log.error({ err: error, failures }, "the job queue cannot be read; retrying");
        if (ownFailures >= maxFailures) {
          giveUp?.(`The background workers failed ${ownFailures} times in a row: ${inOneLine(error)}`);
          break;
        }
        pauseMs = Math.min(shortestPauseMs * 2 ** (failures - 1), longestPauseMs);
      }
      const leftMs = Math.max(0, startedAt + pauseMs - performance.now());
      await wait(leftMs, null, { signal: stopping }).catch(() => null);
    }
    clearTimeout(abortTimer);
    stopListening();
    await this.#queue.end().catch(() => null);
  }

  /** Settles finished jobs, renews the leases of running ones and starts due ones, in one statement. */
  async #poll(): Promise<void> {
    const now = performance.now();
    const settling = [...this.#outcomes];
    const running = [...this.#running];
    const oldLeases = running.filter(({ renewedAt }) => now - renewedAt > renewAfterMs);
    const heldJobs = [...running.map(({ lease }) => lease), ...settling];
    const { rows } = await this.#queue.query<{
      taken: Lease[] | null;
      clockS: number;
      locked: string[] | null;
    }>(pollStatement, [
      JSON.stringify(settling),
      JSON.stringify(oldLeases.map(({ lease: { id, leaseToken } }) => ({ id, leaseToken }))),
      heldJobs.map(({ id }) => id),
      [...this.#tasks.keys()],
      this.#stopping.aborted ? "[]" : JSON.stringify(this.#freeSlots()),
    ]);
    for (const lease of oldLeases) lease.renewedAt = now;
    // Rows locked by another transaction: settled later, or by the server that takes the job over.
    const locked = new Set(rows[0]?.locked);
    this.#outcomes = [
      ...settling.filter(({ id }) => locked.has(id)),
      ...this.#outcomes.slice(settling.length),
    ];
    for (const lease of rows[0]?.taken ?? [])
      void this.#work({ lease, renewedAt: now, abort: new AbortController() });
    const clockOffsetMs = 1000 * (rows[0]?.clockS ?? 0) - now;
    if (clockOffsetMs < this.#clockOffsetMs - clockBackMs) {
      const { pool, cron = [] } = this.#options;
      await startRecurring(drizzle(pool), cron);
    }
    this.#clockOffsetMs = clockOffsetMs;
    // Work with more to do is due again.
    if (settling.some(({ id, delayS, error }) => delayS === 0 && error === null && !locked.has(id)))
      this.#wakeUp.resolve();
  }

  #freeSlots(): { lane: string; free: number }[] {
    const runningByLane = Map.groupBy(this.#running, ({ lease }) => lease.lane);
    return Object.entries(this.#slots).flatMap(([lane, slots]) => {
      const free = slots - (runningByLane.get(lane as LaneName)?.length ?? 0);
      return free > 0 ? [{ lane, free }] : [];
    });
  }

  #abortJobs(): void {
    for (const { abort } of this.#running) abort.abort();
  }

  async #work(running: RunningJob): Promise<void> {
    const { id, leaseToken, name, lane, attempt, maxAttempts } = running.lease;
    const kind = this.#tasks.get(name);
    if (!kind) return;
    const { task, everySeconds } = kind;
    this.#running.add(running);
    const outcome: Outcome = { id, leaseToken, delayS: null, error: null };
    try {
      const result = await this.#attempt(task, running, everySeconds !== null);
      if (everySeconds !== null) outcome.delayS = result === moreToDo ? 0 : everySeconds;
    } catch (error) {
      // An error must neither end recurring work nor be retried before the next run.
      outcome.delayS = everySeconds ?? (attempt < maxAttempts ? this.#timing.retrySeconds(attempt) : 0);
      outcome.error = errorReason(error);
    }
    const isSlotNeeded = !this.#freeSlots().some((free) => free.lane === lane);
    this.#running.delete(running);
    this.#outcomes.push(outcome);
    if (isSlotNeeded || this.#stopping.aborted || outcome.delayS === 0) this.#wakeUp.resolve();
    else setTimeout(this.#wakeUp.resolve, this.#timing.settleMs);
  }

  #attempt({ job, run }: Task, { lease, abort }: RunningJob, isRecurring: boolean): Promise<unknown> {
    const { log, metrics } = this.#options;
    const { id, payload, attempt, maxAttempts } = lease;
    return runAsWork({ job: job.name, jobId: id }, async () => {
      const isLastAttempt = attempt >= maxAttempts;
      const recordEnd = metrics?.beginJob(job);
      const startedAt = performance.now();
      recordPayloadOrderId(payload);
      try {
        const result = await withSpan(`job ${job.name}`, { attempt }, (span) =>
          withTimeLimit(job.lane, abort, () =>
            run(payload, { attempt, isLastAttempt, signal: abort.signal }),
          ).finally(() => span?.setAttributes(workAttributes())),
        );
        recordEnd?.("done");
        const ms = Math.round(performance.now() - startedAt);
        log[Object.keys(workAttributes()).length > 0 ? "info" : "debug"]({ attempt, ms }, "job done");
        return result;
      } catch (err) {
        recordEnd?.("failed");
        const level = isLastAttempt || isRecurring ? "error" : "warn";
        log[level]({ err, job: job.name, attempt, maxAttempts }, "job failed");
        throw err;
      }
    });
  }
}

/** Without characters that JSON and text columns refuse: such a reason would stop the whole queue. */
function errorReason(error: unknown): string {
  const text = String(error instanceof Error ? error.message : error);
  return text.replaceAll("\0", "").slice(0, 10_000).toWellFormed();
}

/** Records the order that a job's payload names, for log lines. */
function recordPayloadOrderId(payload: unknown): void {
  if (!payload || typeof payload !== "object" || !("orderId" in payload)) return;
  if (typeof payload.orderId === "string") recordOrderId(payload.orderId);
}

/** Aborts the work and rejects when the lane's time limit is over. */
async function withTimeLimit<T>(lane: LaneName, abort: AbortController, work: () => Promise<T>): Promise<T> {
  const minutes = limitMinutesByLane[lane] ?? limitMinutes;
  const tooLong = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`it took longer than ${minutes} minutes`);
    abort.abort(error);
    tooLong.reject(error);
  }, minutes * 60_000);
  timer.unref();
  try {
    return await Promise.race([work(), tooLong.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether an unavailable, full or read-only database explains a failure, so that a new process would fail as well. Too many
 * connections do not count, because this process may be holding them.
 */
async function isDatabaseCause(url: string, error: unknown): Promise<boolean> {
  if (hasState(error, readOnlyState) || hasState(error, fullState)) return true;
  try {
    return await askOnce(url, queueTimeoutMs, async (client) => {
      await client.identifyServer();
      return client.isReadOnly;
    });
  } catch (problem) {
    return isDatabaseUnavailable(problem) && !hasState(problem, tooManyConnectionsState);
  }
}
