-- outside-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "balance_entries_payouts" ON "balance_entries" USING btree ("created_at","id") WHERE "balance_entries"."kind" = 'payout';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_to_erase" ON "orders" USING btree ("created_at") WHERE "orders"."status" = 'cancelled' and "orders"."paid_at" is null and "orders"."erased_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "refunds_intent" ON "refunds" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_tried" ON "webhook_deliveries" USING btree ("webhook_id",("attempts" -> -1 ->> 'at')) WHERE "webhook_deliveries"."attempts" <> '[]';
