-- outside-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_country" ON "orders" USING btree (("shipping" ->> 'country'),"created_at","id");