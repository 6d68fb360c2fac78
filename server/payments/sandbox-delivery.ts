import { setTimeout as wait } from "node:timers/promises";
import { asc, eq, lt, sql } from "drizzle-orm";
import type { Logger } from "pino";
import { Stripe } from "stripe";
import type { Database } from "../platform/database.ts";
import type { SandboxEvent } from "./sandbox-events.ts";
import { sandboxEvents } from "./sandbox-tables.ts";

/** `late`, `twice` and `shuffled` make in development the trouble that real webhooks make. */
export type DeliveryMode = "at_once" | "late" | "twice" | "shuffled";

export type Delivery = {
  /** Posts events without being waited for; what fails stays for `deliverPending`. */
  send(events: readonly SandboxEvent[]): void;
  /** Posts again what the webhook has not taken yet; answers how many it took. */
  deliverPending(): Promise<number>;
  /** Waits for what is being posted. Events held back stay in the table for the next start. */
  drain(): Promise<void>;
};

const lateMs = 3_000;
const inFlightMax = 100;
const pendingBatchMax = 200;
const pendingAtOnce = 4;

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
  /** Posts to the webhook; answers its status. */
  deliver(rawBody: string, signature: string): Promise<number>;
  mode: DeliveryMode;
}): Delivery {
  const inFlight = new Map<string, Promise<boolean>>();
  const stop = new AbortController();

  async function post(event: SandboxEvent): Promise<boolean> {
    const rawBody = JSON.stringify(eventJson(event));
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: rawBody, secret: webhookSecret });
    try {
      const status = await deliver(rawBody, signature);
      if (status !== 200) throw new Error(`The webhook answered ${status}`);
      await db.delete(sandboxEvents).where(eq(sandboxEvents.id, event.id));
      return true;
    } catch (error) {
      log.warn({ err: error, event: event.id, type: event.type }, "a sandbox event was not delivered");
      return false;
    }
  }

  async function postInMode(event: SandboxEvent): Promise<boolean> {
    const delayMs = mode === "late" ? lateMs : mode === "shuffled" ? Math.random() * lateMs : 0;
    if (delayMs > 0) {
      const isOver = await wait(delayMs, true, { signal: stop.signal }).catch(() => false);
      if (!isOver) return false;
    }
    if (mode !== "twice") return post(event);
    const taken = await Promise.all([post(event), post(event)]);
    return taken.includes(true);
  }

  function begin(event: SandboxEvent): Promise<boolean> {
    const posting = postInMode(event).finally(() => inFlight.delete(event.id));
    inFlight.set(event.id, posting);
    return posting;
  }

  return {
    send(events) {
      for (const event of events) {
        if (inFlight.size >= inFlightMax || stop.signal.aborted) return;
        void begin(event);
      }
    },
    async deliverPending() {
      // As Stripe does: what nobody took for 3 days is given up.
      await db.delete(sandboxEvents).where(lt(sandboxEvents.createdAt, sql`now() - interval '3 days'`));
      const oldest = await db
        .select()
        .from(sandboxEvents)
        .orderBy(asc(sandboxEvents.createdAt))
        .limit(pendingBatchMax);
      const waiting = oldest.filter(({ id }) => !inFlight.has(id));
      let taken = 0;
      for (let at = 0; at < waiting.length && !stop.signal.aborted; at += pendingAtOnce) {
        const posted = await Promise.all(waiting.slice(at, at + pendingAtOnce).map(begin));
        taken += posted.filter(Boolean).length;
      }
      return taken;
    },
    async drain() {
      stop.abort();
      await Promise.all(inFlight.values());
    },
  };
}

/** Stripe's Event. */
function eventJson({ id, type, object, createdAt }: SandboxEvent) {
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
