-- Taking a job counts an attempt. PostgreSQL wrote new entries of all the row's indexes for that, because the conditions of two of them
-- named the attempts.
ALTER TABLE "jobs" ADD COLUMN "has_attempts" boolean GENERATED ALWAYS AS (attempts < max_attempts) STORED NOT NULL;--> statement-breakpoint
DROP INDEX "jobs_due";--> statement-breakpoint
DROP INDEX "jobs_failed";--> statement-breakpoint
CREATE INDEX "jobs_to_run" ON "jobs" USING btree ("lane","run_at") WHERE "jobs"."has_attempts";--> statement-breakpoint
CREATE INDEX "jobs_given_up" ON "jobs" USING btree ("updated_at") WHERE not "jobs"."has_attempts";--> statement-breakpoint
-- An order wrote three of these rows, each with an entry of the key's index that nothing used.
ALTER TABLE "order_count_changes" DROP COLUMN "id";
