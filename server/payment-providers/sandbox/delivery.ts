import { setTimeout as wait } from "node:timers/promises";
import { asc, lt, sql } from "drizzle-orm";
import type { Logger } from "pino";
import { Stripe } from "stripe";
import type { Database } from "../../platform/database/database.ts";
import { sandboxEvents } from "../tables.ts";
import type { SandboxEvent } from "./events.ts";

/** `late`, `twice` and `shuffled` simulate the trouble of real webhooks in development. */
export type DeliveryMode = "at_once" | "late" | "twice" | "shuffled";

export type Delivery = {
  /** Posts events in the background; `deliverPending` posts failed ones again. */
  send(events: readonly SandboxEvent[]): void;
  /** Posts events again that the webhook has not accepted; returns how many it accepted. */
  deliverPending(): Promise<number>;
  /** Waits for the events being posted. Delayed events stay in the table for the next start. */
  drain(): Promise<void>;
};

const lateMs = 3_000;
/** Accepted events are deleted in batches: a delay causes at most a redelivery. */
const forgetAfterMs = 100;
/** Maximum number of concurrent posts: the webhook uses the shop's own database, which shoppers need more. */
const postsMax = 4;
/** Events in memory; more than these stay in the table for `deliverPending`. */
const inFlightMax = 1_000;
const pendingBatchMax = 200;

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
  const taken = new Set<string>();
  let forgetting: NodeJS.Timeout | undefined;

  async function forgetTaken(): Promise<void> {
    clearTimeout(forgetting);
    forgetting = undefined;
    const ids = [...taken];
    if (ids.length === 0) return;
    try {
      await db.delete(sandboxEvents).where(sql`${sandboxEvents.id} = any(${sql.param(ids)})`);
    } catch (error) {
      log.warn({ err: error }, "delivered sandbox events could not be deleted; they are posted again");
    }
    for (const id of ids) taken.delete(id);
  }
  const inTurn = createTurns(postsMax);

  async function post(event: SandboxEvent): Promise<boolean> {
    const rawBody = JSON.stringify(eventJson(event));
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: rawBody, secret: webhookSecret });
    try {
      const status = await deliver(rawBody, signature);
      if (status !== 200) throw new Error(`The webhook answered ${status}`);
      taken.add(event.id);
      forgetting ??= setTimeout(() => void forgetTaken(), forgetAfterMs);
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
    const taken = await Promise.all(Array.from({ length: times }, () => inTurn(() => post(event))));
    return taken.includes(true);
  }

  function begin(event: SandboxEvent, posting: Promise<boolean>): Promise<boolean> {
    const ending = posting.finally(() => inFlight.delete(event.id));
    inFlight.set(event.id, ending);
    return ending;
  }

  return {
    send(events) {
      for (const event of events) {
        if (inFlight.size >= inFlightMax || stop.signal.aborted) return;
        void begin(event, postInMode(event));
      }
    },
    async deliverPending() {
      // Like Stripe, gives up events that were not accepted within 3 days.
      await db.delete(sandboxEvents).where(lt(sandboxEvents.createdAt, sql`now() - interval '3 days'`));
      // Copied before the query: an event accepted and forgotten during it would otherwise be posted once more.
      const settledIds = new Set([...inFlight.keys(), ...taken]);
      const oldest = await db
        .select()
        .from(sandboxEvents)
        .orderBy(asc(sandboxEvents.createdAt))
        .limit(pendingBatchMax);
      const waiting = oldest.filter(({ id }) => !settledIds.has(id) && !inFlight.has(id) && !taken.has(id));
      const posted = await Promise.all(
        waiting.map((event) =>
          begin(
            event,
            inTurn(() => post(event)),
          ),
        ),
      );
      return posted.filter(Boolean).length;
    },
    async drain() {
      stop.abort();
      await Promise.all(inFlight.values());
      await forgetTaken();
    },
  };
}

/** Runs at most `workingMax` calls at a time; the others wait in line. */
function createTurns(workingMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let working = 0;
  return async (work) => {
    if (working >= workingMax) await new Promise<void>((begin) => line.push(begin));
    else working += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else working -= 1;
    }
  };
}

/** Stripe's Event. */
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
