import * as v from "valibot";
import { failedJobsSchema, wordsOfJob } from "../../domain/overview/failed-jobs.ts";
import { dataOf, ok, route } from "../api-row.ts";
import { problem } from "../platform/http/problem.ts";
import { findFailedJob, listFailedJobs, removeFailedJob, retryFailedJobs } from "./failed-jobs.ts";

const shared = { tag: "Admin", access: "admin" } as const;

const params = v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,18}$/)) });
const noSuchJob = () => problem("not_found", "That job is not among those that gave up any more.");

/** Failed background jobs: their attempts are used up. */
export const jobsApi = [
  route("GET /api/admin/jobs/failed", {
    ...shared,
    summary: "Background jobs that gave up, the latest first",
    limit: "none",
    response: dataOf(failedJobsSchema),
    answers: {
      200: "`{jobs: [{id, kind, order, message, reason, failedAt, attempts}], total, retrying}`: at most 100; `retrying` counts failed ones that are tried again by themselves",
    },
    handle: async (ctx) => ok(await listFailedJobs(ctx.db)),
  }),
  route("POST /api/admin/jobs/failed/:id/retry", {
    ...shared,
    summary: "Try a job again that gave up",
    limit: "write",
    params,
    response: dataOf(v.object({ id: v.string() })),
    answers: { 200: "Queued again, with all its attempts", 404: "It is not among those that gave up" },
    handle: async (ctx, { params: { id }, log }) => {
      const job = await findFailedJob(ctx.db, id);
      if (job === null) return noSuchJob();
      log({ ...subjectOf(job), summary: `Tried again: ${wordsOfJob(job.kind).title}` });
      return (await retryFailedJobs(ctx.db, id)).length > 0 ? ok({ id }) : noSuchJob();
    },
  }),
  route("POST /api/admin/jobs/failed/retry", {
    ...shared,
    summary: "Try all jobs again that gave up",
    limit: "write",
    response: dataOf(v.object({ retried: v.number() })),
    answers: { 200: "`{retried}`, how many" },
    handle: async (ctx, { log }) => {
      const retried = await retryFailedJobs(ctx.db, null);
      const kinds = Map.groupBy(retried, ({ kind }) => wordsOfJob(kind).title);
      const counts = [...kinds].map(([title, jobs]) => `${title} (${jobs.length})`).join(", ");
      log({ summary: `Tried all failed jobs again: ${counts || "there were none"}` });
      return ok({ retried: retried.length });
    },
  }),
  route("DELETE /api/admin/jobs/failed/:id", {
    ...shared,
    summary: "Remove a job that gave up, if nobody waits for it",
    limit: "write",
    params,
    response: dataOf(v.object({ id: v.string() })),
    answers: {
      200: "Removed",
      404: "It is not among those that gave up",
      409: "It has to be done: it can only be tried again",
    },
    handle: async (ctx, { params: { id }, log }) => {
      const job = await findFailedJob(ctx.db, id);
      if (job === null) return noSuchJob();
      const { title, canRemove } = wordsOfJob(job.kind);
      log({ ...subjectOf(job), summary: `Removed a failed job: ${title}` });
      if (!canRemove) return problem("invalid_state", "This has to be done: it can only be tried again.");
      return (await removeFailedJob(ctx.db, id)) ? ok({ id }) : noSuchJob();
    },
  }),
];

function subjectOf({ id, orderId }: { id: string; orderId: string | null }): { subject: string } {
  return { subject: orderId === null ? `job:${id}` : `order:${orderId}` };
}
