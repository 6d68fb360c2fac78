-- Taking a job counts an attempt. PostgreSQL wrote new entries of all the row's indexes for that, because the conditions of two of them
-- named the attempts; the next migration replaces these indexes.
-- Rewrites the table, which is small: finished jobs do not stay.
-- squawk-ignore adding-field-with-default
ALTER TABLE "jobs" ADD COLUMN "has_attempts" boolean GENERATED ALWAYS AS (attempts < max_attempts) STORED NOT NULL;--> statement-breakpoint
-- An order wrote three of these rows, each with an entry of the key's index that nothing used.
ALTER TABLE "order_count_changes" DROP COLUMN "id";
