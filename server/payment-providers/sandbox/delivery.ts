import { setTimeout as wait } from "node:timers/promises";
import { and, asc, lt, sql } from "drizzle-orm";
import type { Logger } from "pino";
import { Stripe } from "stripe";
import type { Database } from "../../platform/database/database.ts";
import { sandboxEvents } from "../tables.ts";
import { commitsAsynchronously, type SandboxEvent } from "./events.ts";

/** `late`, `twice` and `shuffled` simulate problems of real webhooks in development. */
export type DeliveryMode = "at_once" | "late" | "twice" | "shuffled";

export type Delivery = {
  /** Posts events in the background; `deliverPending` posts failed ones again. */
  send(events: readonly SandboxEvent[]): void;
  /** Posts events again that the webhook has not accepted; returns the number of events that it accepts. */
  deliverPending(): Promise<number>;
  /** Waits for the events being posted. Delayed events stay in the table for the next start. */
  drain(): Promise<void>;
};

const lateMs = 3_000;
/** Accepted events are deleted together, this long (ms) after the last one. After a crash in between, they are posted again. */
const deleteAfterMs = 100;
/** Number of accepted events that are deleted at once. */
const deleteBatchSize = 50;
/** Maximum number of concurrent posts, because the webhook uses the database that shoppers need. */
const maxPosts = 4;
/** Maximum number of events in memory; further events stay in the table for `deliverPending`. */
const maxInFlight = 1_000;
const maxPendingBatchSize = 200;

export function createDelivery({
  db,
  webhookSecret,
  log,
  deliver,
  mode,
}: {
  db: Database;
  webhookSecret: string;
  log: Logger;
  /** Posts to the webhook; returns its status. */
  deliver(rawBody: string, signature: string): Promise<number>;
  mode: DeliveryMode;
}): Delivery {
  const inFlight = new Map<string, Promise<boolean>>();
  const stop = new AbortController();
  const acceptedIds = new Set<string>();
  let deleteTimer: NodeJS.Timeout | undefined;
  let deletion: Promise<void> | null = null;

  function scheduleDeletion(): void {
    clearTimeout(deleteTimer);
    const afterMs = acceptedIds.size < deleteBatchSize ? deleteAfterMs : 0;
    deleteTimer = setTimeout(() => void deleteAccepted(), afterMs);
  }

  /** Joins the running deletion, if any, since another one would delete the same events again. */
  function deleteAccepted(): Promise<void> {
    clearTimeout(deleteTimer);
    deletion ??= deleteEvents([...acceptedIds]).finally(() => {
      deletion = null;
      if (acceptedIds.size > 0) scheduleDeletion();
    });
    return deletion;
  }

  async function deleteEvents(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    try {
      await db
        .delete(sandboxEvents)
        .where(and(sql`${sandboxEvents.id} = any(${sql.param(ids)})`, commitsAsynchronously));
    } catch (error) {
      log.warn({ err: error }, "delivered sandbox events could not be deleted; they are posted again");
    }
    for (const id of ids) acceptedIds.delete(id);
  }
  const limited = createLimiter(maxPosts);

  async function post(event: SandboxEvent): Promise<boolean> {
    const rawBody = JSON.stringify(eventJson(event));
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: rawBody, secret: webhookSecret });
    try {
      const status = await deliver(rawBody, signature);
      if (status !== 200) throw new Error(`The webhook answered ${status}`);
      acceptedIds.add(event.id);
      scheduleDeletion();
      return true;
    } catch (error) {
      log.warn({ err: error, event: event.id, type: event.type }, "a sandbox event was not delivered");
      return false;
    }
  }

  async function postInMode(event: SandboxEvent): Promise<boolean> {
    const delayMs = mode === "late" ? lateMs : mode === "shuffled" ? Math.random() * lateMs : 0;
    if (delayMs > 0) {
      const hasWaited = await wait(delayMs, true, { signal: stop.signal }).catch(() => false);
      if (!hasWaited) return false;
    }
    const times = mode === "twice" ? 2 : 1;
    const accepted = await Promise.all(Array.from({ length: times }, () => limited(() => post(event))));
    return accepted.includes(true);
  }

  function track(event: SandboxEvent, posting: Promise<boolean>): Promise<boolean> {
    const tracked = posting.finally(() => inFlight.delete(event.id));
    inFlight.set(event.id, tracked);
    return tracked;
  }

  return {
    send(events) {
      for (const event of events) {
        if (inFlight.size >= maxInFlight || stop.signal.aborted) return;
        void track(event, postInMode(event));
      }
    },
    async deliverPending() {
      // Like Stripe, gives up events that were not accepted within 3 days.
      await db.delete(sandboxEvents).where(lt(sandboxEvents.createdAt, sql`now() - interval '3 days'`));
      // Copied before the query: an event that is accepted and deleted during the query would otherwise be posted once more.
      const settledIds = new Set([...inFlight.keys(), ...acceptedIds]);
      const oldest = await db
        .select()
        .from(sandboxEvents)
        .orderBy(asc(sandboxEvents.createdAt))
        .limit(maxPendingBatchSize);
      const pendingEvents = oldest.filter(
        ({ id }) => !settledIds.has(id) && !inFlight.has(id) && !acceptedIds.has(id),
      );
      const results = await Promise.all(
        pendingEvents.map((event) =>
          track(
            event,
            limited(() => post(event)),
          ),
        ),
      );
      return results.filter(Boolean).length;
    },
    async drain() {
      stop.abort();
      await Promise.all(inFlight.values());
      while (acceptedIds.size > 0) await deleteAccepted();
    },
  };
}

/** Runs at most `maxRunning` calls at a time; further calls wait in a queue. */
function createLimiter(maxRunning: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= maxRunning) await new Promise<void>((begin) => queue.push(begin));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** An event in the format of Stripe's Event. */
export function eventJson({ id, type, object, createdAt }: SandboxEvent) {
  return {
    id,
    object: "event",
    api_version: Stripe.API_VERSION,
    type,
    livemode: false,
    created: Math.floor(createdAt.getTime() / 1000),
    data: { object },
  };
}
