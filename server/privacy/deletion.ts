import { and, eq, gt, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import type { KeptOrder } from "../../domain/privacy/erasure.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { addJob, defineJob, type Task, task } from "../platform/jobs/jobs.ts";
import { enqueueDeletion } from "./mail.ts";
import { buyerOf, eraseOrders } from "./person.ts";
import { deletionRequests } from "./tables.ts";

const eraseJob = defineJob({
  name: "erase_personal_data",
  payload: v.object({ requestId: v.number() }),
  lane: "money",
  priority: 20,
  maxAttempts: 12,
});

/** A repeated request within this time counts as the same one. */
const twiceMs = 60_000;

/** Requests continued by one housekeeping run. */
const resumedMax = 500;

/**
 * Stores a deletion request and enqueues its job. A second request within a minute, e.g. by a double click, counts as the
 * same. Returns the orders whose data must be kept for now.
 */
export async function requestDeletion(ctx: ShopContext, tx: Db, email: string): Promise<KeptOrder[]> {
  const requestedAt = ctx.now();
  const facts = { settings: await ctx.settings(tx), now: requestedAt };
  const address = email.toLowerCase();
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`deletion:${address}`}, 0))`);
  const [before] = await tx
    .select({ id: deletionRequests.id })
    .from(deletionRequests)
    .where(
      and(
        eq(deletionRequests.email, address),
        isNull(deletionRequests.finishedAt),
        gt(deletionRequests.requestedAt, new Date(requestedAt.getTime() - twiceMs)),
      ),
    );
  const buyer = buyerOf(ctx);
  const { orderIds } = await buyer.find(tx, { email: address, until: requestedAt });
  const { kept: waiting } = await buyer.classify(tx, orderIds, facts);
  if (before) return waiting;
  const [request] = await tx
    .insert(deletionRequests)
    .values({ email: address, requestedAt })
    .returning({ id: deletionRequests.id });
  if (!request) throw new Error("a deletion was written without its id");
  if (waiting.length > 0) await enqueueDeletion(tx, { requestId: request.id, email, kept: waiting });
  await addJob(tx, eraseJob, { requestId: request.id }, { key: `erase:${request.id}` });
  return waiting;
}

export function deletionTask(ctx: ShopContext): Task {
  return task(eraseJob, ({ requestId }) => erasePersonalData(ctx, requestId));
}

/** Continues deletions that had to wait. */
export async function resumeDeletions({ db }: ShopContext): Promise<void> {
  const open = await db
    .select({ requestId: deletionRequests.id })
    .from(deletionRequests)
    .where(isNull(deletionRequests.finishedAt))
    .orderBy(deletionRequests.id)
    .limit(resumedMax);
  for (const { requestId } of open) await addJob(db, eraseJob, { requestId }, { key: `erase:${requestId}` });
}

/**
 * Erases all personal data stored before the request that no running order needs. When none is left, now or in a later run,
 * e-mails the confirmation and wipes the address. One transaction: an order's related rows can be found only while the order
 * has its address. Data stored after the request is kept.
 */
async function erasePersonalData(ctx: ShopContext, requestId: number): Promise<void> {
  const facts = { settings: await ctx.settings(), now: ctx.now() };
  await ctx.db.transaction(async (tx) => {
    const [request] = await tx
      .select()
      .from(deletionRequests)
      .where(and(eq(deletionRequests.id, requestId), isNull(deletionRequests.finishedAt)))
      .for("update");
    if (!request?.email) return;
    const { email, requestedAt: until } = request;
    const buyer = buyerOf(ctx);
    const { orderIds, visitorIds } = await buyer.find(tx, { email, until });
    const { finishedIds: finishedOrderIds, kept } = await buyer.classify(tx, orderIds, facts);
    await eraseOrders(tx, finishedOrderIds, ctx);
    const person = { email, until, orderIds, visitorIds, finishedOrderIds };
    for (const { erase } of ctx.personalData) await erase?.(tx, person, ctx);
    if (kept.length > 0) return;
    await enqueueDeletion(tx, { requestId, email, kept: [] });
    await tx
      .update(deletionRequests)
      .set({ email: null, finishedAt: facts.now })
      .where(eq(deletionRequests.id, requestId));
  });
}
