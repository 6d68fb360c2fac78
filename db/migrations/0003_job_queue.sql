-- oldest-program: 0003
CREATE TABLE "jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"lane" text NOT NULL,
	"payload" jsonb NOT NULL,
	"priority" smallint DEFAULT 0 NOT NULL,
	"run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"max_attempts" smallint NOT NULL,
	"last_error" text,
	"key" text,
	"leases" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "jobs_key" UNIQUE("key"),
	CONSTRAINT "jobs_lane" CHECK ("jobs"."lane" in ('money','mail','upkeep','long'))
);
--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("lane","run_at") WHERE "jobs"."attempts" < "jobs"."max_attempts";--> statement-breakpoint
CREATE INDEX "jobs_failed" ON "jobs" USING btree ("updated_at") WHERE "jobs"."attempts" >= "jobs"."max_attempts";--> statement-breakpoint
DROP FUNCTION IF EXISTS queue_jobs(text, smallint, smallint, json[]);
--> statement-breakpoint
-- Queues jobs of one kind, for statements that write rows and queue a job for each. It notifies nobody: PostgreSQL lets one notifying
-- transaction commit at a time, so that orders would wait for one another. The caller wakes its own workers
-- (server/platform/jobs/queued.ts); other servers look every second.
CREATE FUNCTION queue_jobs(job text, lane text, tries smallint, job_priority smallint, payloads json[]) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY INSERT INTO jobs (name, lane, payload, max_attempts, priority)
    SELECT job, queue_jobs.lane, payload, tries, job_priority FROM unnest(payloads) AS payload
    RETURNING jobs.id;
END $$;
--> statement-breakpoint
-- Moves the jobs of the earlier queue, which had a schema of its own. One that was running waits again, without its interrupted
-- attempt. Recurring work is left out: each start of a server queues it.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN RETURN; END IF;
  -- Waits for open transactions, whose jobs would be dropped.
  LOCK TABLE graphile_worker._private_jobs IN ACCESS EXCLUSIVE MODE;
  EXECUTE $move$
    INSERT INTO jobs (name, lane, payload, priority, run_at, attempts, max_attempts, last_error, key, created_at, updated_at)
    SELECT tasks.identifier,
      CASE
        WHEN tasks.identifier IN ('send_evidence', 'watch_mail', 'work_payment_event', 'send_refund', 'expire_orders',
          'reconcile_payments', 'catch_up_events', 'close_declined', 'close_change_payment', 'finish_openings', 'give_up_others',
          'end_failed_payment', 'sync_refunds', 'sync_disputes', 'erase_personal_data') THEN 'money'
        WHEN tasks.identifier IN ('send_message', 'check_text', 'send_lookup', 'request_review', 'remind_of_cart',
          'notify_device') THEN 'mail'
        WHEN tasks.identifier IN ('make_backup', 'read_balance') THEN 'long'
        ELSE 'upkeep'
      END,
      jobs.payload, jobs.priority, jobs.run_at,
      CASE WHEN jobs.locked_at IS NULL THEN jobs.attempts ELSE greatest(jobs.attempts - 1, 0) END,
      jobs.max_attempts, jobs.last_error, jobs.key, jobs.created_at, jobs.updated_at
    FROM graphile_worker._private_jobs AS jobs JOIN graphile_worker._private_tasks AS tasks ON tasks.id = jobs.task_id
    WHERE tasks.identifier NOT IN (SELECT substr(key, 7) FROM graphile_worker._private_jobs WHERE key LIKE 'every:%')
    ORDER BY jobs.id
  $move$;
  DROP SCHEMA graphile_worker CASCADE;
END $$;
