-- outside-transaction
DROP INDEX CONCURRENTLY IF EXISTS "payments_one_paid";
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_replaces_id_orders_id_fk";
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_exchange_id_order_exchanges_id_fk";
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "refunds" VALIDATE CONSTRAINT "refunds_exchange_id_order_exchanges_id_fk";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_replaces" ON "orders" USING btree ("replaces_id") WHERE "orders"."replaces_id" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_exchange" ON "payments" USING btree ("exchange_id") WHERE "payments"."exchange_id" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_source" ON "payments" USING btree ("source_intent_id") WHERE "payments"."source_intent_id" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "refunds_exchange" ON "refunds" USING btree ("exchange_id") WHERE "refunds"."exchange_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "payments_one_paid" ON "payments" USING btree ("order_id") WHERE "payments"."status" = 'succeeded' and "payments"."order_edit_id" is null and "payments"."exchange_id" is null;
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_replaces_for_nothing";
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_replacement_reason";
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_credit";
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_paid_has_time";
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_of_exchange";
--> statement-breakpoint
-- Validating may run twice.
-- squawk-ignore prefer-robust-stmts
ALTER TABLE "refunds" VALIDATE CONSTRAINT "refunds_of_exchange";
