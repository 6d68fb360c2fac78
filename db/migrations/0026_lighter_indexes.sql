-- outside-transaction
-- Without entries for rows that have no such value, and without the e-mails of sales where strangers are limited.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "orders_one_of_key" ON "orders" USING btree ("idempotency_key") WHERE "orders"."idempotency_key" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "sandbox_intents_one_of_session" ON "sandbox_intents" USING btree ("session_id") WHERE "sandbox_intents"."session_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "payments_one_of_session" ON "payments" USING btree ("session_id") WHERE "payments"."session_id" is not null;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_idempotency_key";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "sandbox_intents_session";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_session";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "messages_recipient";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "messages_mailbox";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payment_events_received";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_recipient" ON "messages" USING btree (lower("recipient")) WHERE "messages"."recipient" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_mailbox" ON "messages" USING btree ((case when split_part(regexp_replace(lower("recipient"), '^([^+@]+)[+][^@]*@', '\1@'), '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(regexp_replace(lower("recipient"), '^([^+@]+)[+][^@]*@', '\1@'), '@', 1), '.', '') || '@gmail.com' else regexp_replace(lower("recipient"), '^([^+@]+)[+][^@]*@', '\1@') end),"created_at") WHERE "messages"."kind" not in ('order_confirmation', 'owner_new_order');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_events_received" ON "payment_events" USING brin ("received_at");
