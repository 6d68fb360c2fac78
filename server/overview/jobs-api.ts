import { sql } from "drizzle-orm";
import * as v from "valibot";
import {
  describeJob,
  type FailedJob,
  type FailedJobs,
  failedJobsSchema,
} from "../../domain/overview/failed-jobs.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import { orders } from "../orders/tables.ts";
import { withoutAddresses } from "../outbox/smtp.ts";
import { type MessageKind, messages } from "../outbox/tables.ts";
import { paymentEvents, payments, refunds } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { problem } from "../platform/http/problem.ts";
import {
  hasGivenUp,
  hasNoLease,
  isRecurring,
  removeFailedJob,
  retryFailedJobs,
} from "../platform/jobs/jobs.ts";

const shared = { tag: "Admin", access: "admin" } as const;

const params = v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,18}$/)) });
const jobNotFoundProblem = () => problem("not_found", "That job is no longer among the failed jobs.");

/** Failed background jobs: their attempts are used up. */
export const jobsApi = [
  route("GET /api/admin/jobs/failed", {
    ...shared,
    summary: "Failed background jobs, the latest first",
    response: dataEnvelope(failedJobsSchema),
    responses: {
      200: "`{jobs: [{id, kind, order, message, reason, failedAt, attempts}], total, retrying}`: at most 100; `retrying` counts those that will be retried automatically",
    },
    handle: async (ctx) => ok(await listFailedJobs(ctx.db)),
  }),
  route("POST /api/admin/jobs/failed/:id/retry", {
    ...shared,
    summary: "Retry a failed job",
    limit: "write",
    params,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Queued again with all attempts", 404: "There is no such failed job" },
    handle: async (ctx, { params: { id }, log }) => {
      const job = await findFailedJob(ctx.db, id);
      if (job === null) return jobNotFoundProblem();
      log({ ...logSubject(job), summary: `Retried: ${describeJob(job.kind).title}` });
      return (await retryFailedJobs(ctx.db, id)).length > 0 ? ok({ id }) : jobNotFoundProblem();
    },
  }),
  route("POST /api/admin/jobs/failed/retry", {
    ...shared,
    summary: "Retry all failed jobs",
    limit: "write",
    response: dataEnvelope(v.object({ retried: v.number() })),
    responses: { 200: "`{retried}`: number of retried jobs" },
    handle: async (ctx, { log }) => {
      const retriedJobs = await retryFailedJobs(ctx.db, null);
      const kinds = Map.groupBy(retriedJobs, ({ kind }) => describeJob(kind).title);
      const counts = [...kinds].map(([title, jobs]) => `${title} (${jobs.length})`).join(", ");
      log(`Retried all failed jobs: ${counts || "there were none"}`);
      return ok({ retried: retriedJobs.length });
    },
  }),
  route("DELETE /api/admin/jobs/failed/:id", {
    ...shared,
    summary: "Remove a failed job, if it can be skipped",
    limit: "write",
    params,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: {
      200: "Removed",
      404: "There is no such failed job",
      409: "The job cannot be removed, only retried",
    },
    handle: async (ctx, { params: { id }, log }) => {
      const job = await findFailedJob(ctx.db, id);
      if (job === null) return jobNotFoundProblem();
      const { title, canRemove } = describeJob(job.kind);
      log({ ...logSubject(job), summary: `Removed a failed job: ${title}` });
      if (!canRemove) return problem("invalid_state", "This job cannot be removed, only retried.");
      return (await removeFailedJob(ctx.db, id)) ? ok({ id }) : jobNotFoundProblem();
    },
  }),
];

function logSubject({ id, orderId }: { id: string; orderId: string | null }): { subject: string } {
  return { subject: orderId === null ? `job:${id}` : `order:${orderId}` };
}

const maxListed = 100;
const maxReasonLength = 500;

type Row = {
  id: string;
  kind: string;
  payload: unknown;
  reason: string | null;
  failedAt: string;
  attempts: number;
};

async function listFailedJobs(db: Db): Promise<FailedJobs> {
  const { rows } = await db.execute<Row>(sql`
    select jobs.id::text as id, jobs.name as kind, jobs.payload, jobs.last_error as reason, jobs.attempts,
      to_char(jobs.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failedAt"
    from jobs
    where ${hasGivenUp} order by jobs.updated_at desc, jobs.id desc limit ${maxListed}`);
  const { rows: counts } = await db.execute<{ total: number; retrying: number }>(sql`
    select count(*) filter (where ${hasGivenUp})::int as total,
      count(*) filter (where attempts < max_attempts and attempts > 0 and ${hasNoLease} and last_error is not null
        and not ${isRecurring})::int as retrying
    from jobs`);
  const links = await readJobLinks(db, rows);
  const jobs = rows.map(
    ({ payload: _, reason, ...job }): FailedJob => ({
      ...job,
      reason: reason && withoutAddresses(reason).slice(0, maxReasonLength),
      ...(links.get(job.id) ?? noLinks),
    }),
  );
  return { jobs, ...(counts[0] ?? { total: 0, retrying: 0 }) };
}

type JobLinks = Pick<FailedJob, "order" | "message">;
const noLinks: JobLinks = { order: null, message: null };

/** Ids in the payloads of the shop's jobs; values of other shapes are ignored. */
const idsSchema = v.object({
  orderId: v.optional(v.fallback(v.nullable(uuidSchema), null), null),
  messageId: v.optional(v.fallback(v.nullable(uuidSchema), null), null),
  refundId: v.optional(v.fallback(v.nullable(uuidSchema), null), null),
  intentId: v.optional(v.fallback(v.nullable(v.string()), null), null),
  eventId: v.optional(v.fallback(v.nullable(v.string()), null), null),
});

async function readJobLinks(db: Db, jobs: readonly Row[]): Promise<Map<string, JobLinks>> {
  const ids = jobs.flatMap(({ id, payload }) =>
    v.is(idsSchema, payload) ? [{ id, ...v.parse(idsSchema, payload) }] : [],
  );
  const { rows } = await db.execute<{
    id: string;
    orderId: string | null;
    number: number | null;
    messageId: string | null;
    messageKind: MessageKind | null;
  }>(sql`
    select ids.id, ${orders.id} as "orderId", ${orders.number}, ${messages.id} as "messageId",
      ${messages.kind} as "messageKind"
    from json_to_recordset(${JSON.stringify(ids)}::json) as ids(id text, "orderId" uuid, "messageId" uuid,
      "refundId" uuid, "intentId" text, "eventId" text)
    left join ${messages} on messages.id = ids."messageId"
    left join ${refunds} on refunds.id = ids."refundId"
    left join ${paymentEvents} on payment_events.id = ids."eventId"
    left join ${payments} on payments.intent_id = coalesce(ids."intentId", payment_events.intent_id)
    left join ${orders} on orders.id = coalesce(ids."orderId", messages.order_id, refunds.order_id, payments.order_id)`);
  return new Map(
    rows.map(({ id, orderId, number, messageId, messageKind }) => [
      id,
      {
        order: orderId !== null && number !== null ? { id: orderId, number } : null,
        message: messageId !== null && messageKind !== null ? { id: messageId, kind: messageKind } : null,
      },
    ]),
  );
}

/** A failed job by its id; null if there is none. `orderId`: the job's order, for the activity log. */
async function findFailedJob(
  db: Db,
  id: string,
): Promise<{ id: string; kind: string; orderId: string | null } | null> {
  const { rows } = await db.execute<Row>(sql`
    select jobs.id::text as id, jobs.name as kind, jobs.payload
    from jobs
    where jobs.id = ${id}::bigint and ${hasGivenUp}`);
  const [job] = rows;
  if (!job) return null;
  const links = (await readJobLinks(db, [job])).get(job.id);
  return { id: job.id, kind: job.kind, orderId: links?.order?.id ?? null };
}
