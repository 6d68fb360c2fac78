-- outside-transaction
-- Orders are found by city, discount code, tracking number and phone, too. Where the extension may not be created they are
-- found without an index: slower, and as true.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'orders are searched without an index: %', SQLERRM;
END $$;
--> statement-breakpoint
-- if-extension: pg_trgm
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_search_details ON orders USING gin ((lower(coalesce(shipping ->> 'city', '')) || ' ' || lower(coalesce(discount_code, '')) || ' ' || lower(regexp_replace(coalesce(tracking_number, ''), '[^A-Za-z0-9]', '', 'g')) || ' ' || regexp_replace(replace(coalesce(phone, ''), '(0)', ''), '[^0-9]', '', 'g')) gin_trgm_ops);
