-- outside-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_cancelled_paid" ON "orders" USING btree ("created_at","id") WHERE "orders"."called_off_at" is not null;
