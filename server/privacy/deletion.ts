import { and, eq, gt, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import type { KeptOrder } from "../../domain/privacy/erasure.ts";
import type { ShopContext } from "../context.ts";
import type { Composer, Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { addJob, defineJob, type Task, task } from "../platform/jobs/jobs.ts";
import { buyerHooks, eraseOrders } from "./person.ts";
import { deletionRequests } from "./tables.ts";

const eraseJob = defineJob({
  name: "erase_personal_data",
  payload: v.object({ requestId: v.number() }),
  lane: "money",
  priority: 20,
  maxAttempts: 12,
});

/** A repeated request within this time counts as the same one. */
const repeatWindowMs = 60_000;

/** Maximum number of requests that one housekeeping run continues. */
const maxResumed = 500;

/**
 * Stores a deletion request and enqueues its job. A second request within a minute, e.g. by a double click, counts as the
 * same. Returns the orders whose data must be kept for now.
 */
export async function requestDeletion(ctx: ShopContext, tx: Db, email: string): Promise<KeptOrder[]> {
  const requestedAt = ctx.now();
  const facts = { settings: await ctx.settings(tx), now: requestedAt };
  const address = email.toLowerCase();
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`deletion:${address}`}, 0))`);
  const [recentRequest] = await tx
    .select({ id: deletionRequests.id })
    .from(deletionRequests)
    .where(
      and(
        eq(deletionRequests.email, address),
        isNull(deletionRequests.finishedAt),
        gt(deletionRequests.requestedAt, new Date(requestedAt.getTime() - repeatWindowMs)),
      ),
    );
  const buyer = buyerHooks(ctx);
  const { orderIds } = await buyer.find(tx, { email: address, until: requestedAt });
  const { kept } = await buyer.classify(tx, orderIds, facts);
  if (recentRequest) return kept;
  const [request] = await tx
    .insert(deletionRequests)
    .values({ email: address, requestedAt })
    .returning({ id: deletionRequests.id });
  if (!request) throw new Error("a deletion was written without its id");
  if (kept.length > 0) await enqueueDeletion(tx, { requestId: request.id, email, kept });
  await addJob(tx, eraseJob, { requestId: request.id }, { key: `erase:${request.id}` });
  return kept;
}

export function deletionTask(ctx: ShopContext): Task {
  return task(eraseJob, ({ requestId }) => erasePersonalData(ctx, requestId));
}

/** Continues deletions that had to wait. */
export async function resumeDeletions({ db }: ShopContext): Promise<void> {
  const openRequests = await db
    .select({ requestId: deletionRequests.id })
    .from(deletionRequests)
    .where(isNull(deletionRequests.finishedAt))
    .orderBy(deletionRequests.id)
    .limit(maxResumed);
  for (const { requestId } of openRequests)
    await addJob(db, eraseJob, { requestId }, { key: `erase:${requestId}` });
}

/**
 * Erases all personal data stored before the request, except what unfinished orders need. Once none is left, now or in a
 * later run, e-mails the confirmation and deletes the address. One transaction: an order's related rows can be found only
 * while the order has its address. Data stored after the request is kept.
 */
async function erasePersonalData(ctx: ShopContext, requestId: number): Promise<void> {
  const facts = { settings: await ctx.settings(), now: ctx.now() };
  await ctx.db.transaction(async (tx) => {
    for (const { beforeErase } of ctx.personalData) await beforeErase?.(tx);
    const [request] = await tx
      .select()
      .from(deletionRequests)
      .where(and(eq(deletionRequests.id, requestId), isNull(deletionRequests.finishedAt)))
      .for("update");
    if (!request?.email) return;
    const { email, requestedAt: until } = request;
    const buyer = buyerHooks(ctx);
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

const linkData = v.object({ token: v.string(), expiresAt: v.pipe(v.string(), v.isoTimestamp()) });
const deletedData = v.object({
  kept: v.pipe(v.string(), v.parseJson(), v.array(v.object({ number: v.number(), because: v.string() }))),
});

/** E-mails a person the state of the deletion of their data; `kept`: data that is still needed. */
async function enqueueDeletion(
  tx: Db,
  { requestId, email, kept }: { requestId: number; email: string; kept: readonly KeptOrder[] },
): Promise<void> {
  const dedupeKey = `data_deleted:${requestId}:${kept.length > 0 ? "begun" : "finished"}`;
  await enqueueMessages(tx, [
    { kind: "data_deleted", dedupeKey, recipient: email, data: { kept: JSON.stringify(kept) } },
  ]);
}

export const privacyMail = {
  data_export: withDataLink("data_export"),
  data_deletion: withDataLink("data_deletion"),
  async data_deleted({ shopperSender }, { recipient, data }) {
    const { kept } = v.parse(deletedData, data);
    return { email: { kind: "data_deleted", kept }, sender: shopperSender, recipient, secret: null };
  },
} satisfies Mail;

function withDataLink(kind: "data_export" | "data_deletion"): Composer {
  return async ({ now, publicUrl }, message) => {
    const { token, expiresAt } = v.parse(linkData, message.data);
    if (now() >= new Date(expiresAt)) return "expired";
    return {
      email: { kind, dataUrl: `${publicUrl}/account/data?token=${token}` },
      secret: token,
    };
  };
}
