-- outside-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "customers_country" ON "customers" USING btree ("country","last_order_at","id");
