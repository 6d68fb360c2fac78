-- outside-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_held_back" ON "orders" USING btree ("created_at","id") WHERE "orders"."ship_hold" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_change" ON "payments" USING btree ("change_id") WHERE "payments"."change_id" is not null;
--> statement-breakpoint
-- still-works: the version before writes no change, so that the index holds it to one paid payment as its own did.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "payments_one_paid" ON "payments" USING btree ("order_id") WHERE "payments"."status" = 'succeeded' and "payments"."change_id" is null;
--> statement-breakpoint
-- An order whose change was paid has two payments that succeeded.
DROP INDEX CONCURRENTLY IF EXISTS "payments_one_succeeded";
