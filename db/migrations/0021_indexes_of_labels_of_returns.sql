-- outside-transaction
DROP INDEX CONCURRENTLY IF EXISTS "labels_one_unshipped";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "labels_open";
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "labels" VALIDATE CONSTRAINT "labels_return_id_order_returns_id_fk";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "labels_one_of_return" ON "labels" USING btree ("return_id") WHERE "labels"."state" in ('buying','bought','voiding') and "labels"."return_id" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "labels_return" ON "labels" USING btree ("return_id") WHERE "labels"."return_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "labels_one_unshipped" ON "labels" USING btree ("order_id") WHERE "labels"."state" in ('buying','bought','voiding') and "labels"."shipped_at" is null and "labels"."return_id" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "labels_open" ON "labels" USING btree ("created_at") WHERE "labels"."state" in ('buying','voiding') or "labels"."state" = 'bought' and "labels"."shipped_at" is null and "labels"."return_id" is null;
