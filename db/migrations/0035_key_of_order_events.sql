-- outside-transaction
-- Same columns as `order_events_order`, to become the primary key.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "order_events_order_id_id_pk" ON "order_events" USING btree ("order_id","id");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "order_events_order";
