import { and, eq, gte, lt, sql } from "drizzle-orm";
import { formatCents } from "../../domain/money.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database.ts";
import { addJob, type JobContext } from "../platform/jobs.ts";
import { raiseFlag } from "./flags.ts";
import { runMoneyCheckJob } from "./job-kinds.ts";
import { type Comparison, compareIntents, compareMissing, type Difference } from "./money-check-compare.ts";
import type { PaymentParts } from "./parts.ts";
import { type Intent, ProviderRefused, ProviderUnavailable } from "./provider.ts";
import { moneyChecks, moneyFindings, paymentFlags, payments } from "./tables.ts";

type CheckRow = typeof moneyChecks.$inferSelect;
type NewCheck = { from: Date; to: Date; requestedBy: "night" | "owner" };

const batchMax = 100;

/** Writes a check down and queues it; one of the same period that still runs is answered instead. */
export async function startMoneyCheck(
  parts: PaymentParts,
  { from, to, requestedBy }: NewCheck,
): Promise<number> {
  return parts.db.transaction(async (tx) => {
    // Two clicks at once come one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('money_checks'))`);
    const [running] = await tx
      .select({ id: moneyChecks.id })
      .from(moneyChecks)
      .where(
        and(
          eq(moneyChecks.status, "running"),
          eq(moneyChecks.periodFrom, from),
          eq(moneyChecks.periodTo, to),
        ),
      );
    if (running) return running.id;
    const [check] = await tx
      .insert(moneyChecks)
      .values({ periodFrom: from, periodTo: to, requestedBy, status: "running", startedAt: parts.now() })
      .returning({ id: moneyChecks.id });
    if (!check) throw new Error("a money check was not written");
    await addJob(tx, runMoneyCheckJob, { checkId: check.id });
    return check.id;
  });
}

/**
 * Job: holds every payment of the period at the provider against the orders, and every booked payment against the
 * provider. One that broke off begins anew, with the same result. Changes no order, except that a payment of the last
 * minutes is booked whose news is still on its way.
 */
export async function runMoneyCheck(
  parts: PaymentParts,
  checkId: number,
  { signal, isLastAttempt }: Pick<JobContext, "signal" | "isLastAttempt">,
): Promise<void> {
  const [check] = await parts.db.select().from(moneyChecks).where(eq(moneyChecks.id, checkId));
  if (check?.status !== "running") return;
  try {
    await beginAnew(parts.db, checkId);
    await lookAt(parts, check, signal);
    await finish(parts, check);
  } catch (error) {
    const isAway = error instanceof ProviderUnavailable;
    if (isAway || isLastAttempt) {
      const problem = isAway
        ? "The payment provider could not be reached. Nothing was changed; run the check again later."
        : "The check broke off because of a fault in the shop. The log says more; run the check again.";
      await parts.db
        .update(moneyChecks)
        .set({ status: "failed", problem, finishedAt: parts.now() })
        .where(eq(moneyChecks.id, checkId));
    }
    if (!isAway) throw error;
    parts.log.warn({ err: error, checkId }, "a money check could not be run");
  }
}

async function beginAnew(db: Db, checkId: number): Promise<void> {
  await db.delete(moneyFindings).where(eq(moneyFindings.checkId, checkId));
  const none = { looked: 0, matched: 0, apart: 0, apartCents: 0 };
  const sums = { providerInCents: 0, providerRefundedCents: 0, bookedInCents: 0, bookedRefundedCents: 0 };
  await db
    .update(moneyChecks)
    .set({ ...none, ...sums })
    .where(eq(moneyChecks.id, checkId));
}

async function lookAt(parts: PaymentParts, check: CheckRow, signal: AbortSignal): Promise<void> {
  const period = { from: check.periodFrom, to: check.periodTo };
  const seen = new Set<string>();
  let batch: Intent[] = [];
  const hold = async () => {
    signal.throwIfAborted();
    await note(parts.db, check.id, await compareIntents(parts, batch));
    batch = [];
  };
  for await (const intent of parts.provider.listSucceededIntents(period)) {
    seen.add(intent.intentId);
    if (batch.push(intent) === batchMax) await hold();
  }
  await hold();
  for (const intentId of await bookedIn(parts, period)) {
    if (seen.has(intentId)) continue;
    signal.throwIfAborted();
    const intent = await findIntent(parts, intentId);
    const isThere = intent?.status === "succeeded";
    // Paid on a hosted page after midnight, say: it belongs to the period in which the provider has it.
    if (isThere && (intent.createdAt < period.from || intent.createdAt >= period.to)) continue;
    const comparison = isThere
      ? await compareIntents(parts, [intent])
      : [await compareMissing(parts.db, intentId)];
    await note(
      parts.db,
      check.id,
      comparison.filter((one) => one !== null),
    );
  }
  await note(parts.db, check.id, await paidWithoutPayment(parts.db, period));
}

/** The payment as the provider has it; null for one that it does not know. */
export async function findIntent({ provider }: PaymentParts, intentId: string): Promise<Intent | null> {
  try {
    return await provider.retrieveIntent(intentId);
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}

type Between = { from: Date; to: Date };

async function bookedIn({ db, provider }: PaymentParts, { from, to }: Between): Promise<string[]> {
  const rows = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(
      and(
        eq(payments.status, "succeeded"),
        eq(payments.provider, provider.name),
        gte(payments.createdAt, from),
        lt(payments.createdAt, to),
      ),
    );
  return rows.flatMap(({ intentId }) => intentId ?? []);
}

/** Orders that say they were paid without a payment that did it: the shop never does that, a hand in the database may. */
async function paidWithoutPayment(db: Db, { from, to }: Between): Promise<Comparison[]> {
  const rows = await db
    .select({
      orderId: orders.id,
      number: orders.number,
      bookedIn: orders.totalCents,
      bookedRefunded: orders.refundedCents,
    })
    .from(orders)
    .where(
      and(
        gte(orders.paidAt, from),
        lt(orders.paidAt, to),
        sql`${orders.totalCents} > 0 and not exists (select from ${payments}
          where payments.order_id = orders.id and payments.status = 'succeeded')`,
      ),
    );
  return rows.map(({ orderId, number, bookedIn, bookedRefunded }) => {
    const of = { intentId: `#${number}`, orderId };
    const differences: Difference[] = [
      { ...of, kind: "missing_payment", providerCents: 0, bookedCents: bookedIn },
    ];
    if (bookedRefunded > 0) {
      differences.push({ ...of, kind: "refund_differs", providerCents: 0, bookedCents: bookedRefunded });
    }
    const provider = { providerIn: 0, providerRefunded: 0 };
    return { isApart: false, ...provider, bookedIn, bookedRefunded, differences };
  });
}

/** Adds what was compared to the check, so that its progress shows. */
async function note(db: Db, checkId: number, compared: readonly Comparison[]): Promise<void> {
  if (compared.length === 0) return;
  const counted = compared.filter(({ isApart }) => !isApart);
  const apart = compared.filter(({ isApart }) => isApart);
  const differences = counted.flatMap((one) => one.differences);
  const sum = (
    of: readonly Comparison[],
    key: "providerIn" | "providerRefunded" | "bookedIn" | "bookedRefunded",
  ) => of.reduce((cents, one) => cents + one[key], 0);
  await db.transaction(async (tx) => {
    await tx
      .update(moneyChecks)
      .set({
        looked: sql`${moneyChecks.looked} + ${compared.length}`,
        matched: sql`${moneyChecks.matched} + ${counted.filter((one) => one.differences.length === 0).length}`,
        apart: sql`${moneyChecks.apart} + ${apart.length}`,
        apartCents: sql`${moneyChecks.apartCents} + ${sum(apart, "providerIn")}`,
        providerInCents: sql`${moneyChecks.providerInCents} + ${sum(counted, "providerIn")}`,
        providerRefundedCents: sql`${moneyChecks.providerRefundedCents} + ${sum(counted, "providerRefunded")}`,
        bookedInCents: sql`${moneyChecks.bookedInCents} + ${sum(counted, "bookedIn")}`,
        bookedRefundedCents: sql`${moneyChecks.bookedRefundedCents} + ${sum(counted, "bookedRefunded")}`,
      })
      .where(eq(moneyChecks.id, checkId));
    if (differences.length === 0) return;
    await tx.insert(moneyFindings).values(differences.map((difference) => ({ ...difference, checkId })));
  });
}

/** Ends the check and tells the owner of differences, once, unless an earlier check or the payment itself has told of them. */
async function finish(parts: PaymentParts, check: CheckRow): Promise<void> {
  await parts.db.transaction(async (tx) => {
    await tx
      .update(moneyChecks)
      .set({ status: "done", problem: null, finishedAt: parts.now() })
      .where(eq(moneyChecks.id, check.id));
    const { rows } = await tx.execute<{ count: number; cents: number }>(sql`
      select count(*)::int as count, coalesce(sum(abs(provider_cents - booked_cents)), 0)::int as cents
      from ${moneyFindings} as found where check_id = ${check.id}
        and not exists (select from ${moneyFindings} as before
          where before.intent_id = found.intent_id and before.kind = found.kind and before.check_id < found.check_id
            and before.mended_at is null)
        and not exists (select from ${paymentFlags} where subject = found.intent_id)`);
    const { count = 0, cents = 0 } = rows[0] ?? {};
    if (count === 0) return;
    await raiseFlag(tx, parts.announce, {
      kind: "money_check",
      subject: String(check.id),
      orderId: null,
      message: `The money check found ${count === 1 ? "a difference" : `${count} differences`} of ${formatCents(cents)} between the payment provider and the orders: see Money check`,
    });
  });
}
