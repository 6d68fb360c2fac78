-- outside-transaction
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "labels" VALIDATE CONSTRAINT "labels_refund";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "labels_looked_at_again" ON "labels" USING btree ("asking_until") WHERE "labels"."state" in ('failed','voided') and "labels"."asking_until" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "labels_refund_rejected_at" ON "labels" USING btree ("refund_rejected_at") WHERE "labels"."refund_rejected_at" is not null;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "labels_doubtful";
