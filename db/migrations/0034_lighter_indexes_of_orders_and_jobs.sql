-- outside-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_to_run" ON "jobs" USING btree ("lane","run_at") WHERE "jobs"."has_attempts";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_given_up" ON "jobs" USING btree ("updated_at") WHERE not "jobs"."has_attempts";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "jobs_due";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "jobs_failed";
--> statement-breakpoint
-- Without entries for rows that have no such value.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "payments_one_paid_per_edit" ON "payments" USING btree ("order_edit_id") WHERE "payments"."status" = 'succeeded' and "payments"."order_edit_id" is not null;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_one_paid_of_edit";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "visitors_one_of_token" ON "visitors" USING btree ("token_hash") WHERE "visitors"."token_hash" is not null;
--> statement-breakpoint
ALTER TABLE "visitors" DROP CONSTRAINT IF EXISTS "visitors_token_hash_unique";
--> statement-breakpoint
-- An order is entered once, when it is paid or cancelled, instead of twice. Searches read the pending orders besides, which are few.
-- if-extension: pg_trgm
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_search_text" ON "orders" USING gin ((lower(customer_name) || ' ' || lower(email)) gin_trgm_ops) WHERE status <> 'pending';
--> statement-breakpoint
-- if-extension: pg_trgm
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_search_facts" ON "orders" USING gin ((lower(coalesce(shipping ->> 'city', '')) || ' '
    || lower(coalesce(discount_code, '')) || ' ' || lower(regexp_replace(coalesce(tracking_number, ''), '[^A-Za-z0-9]', '', 'g')) || ' '
    || regexp_replace(replace(coalesce(phone, ''), '(0)', ''), '[^0-9]', '', 'g')) gin_trgm_ops) WHERE status <> 'pending';
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_search";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_search_details";
