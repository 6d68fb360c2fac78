-- outside-transaction
-- An order sells a product once more with each change of its items, and each such sale has an invoice of its own.
-- still-works: the version before writes no change, so that the index holds it to one sale as its own did.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "stock_movements_one_sale" ON "stock_movements" USING btree ("order_id","product_id",coalesce("change_id", "order_id")) WHERE "stock_movements"."kind" = 'sold';
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "stock_movements_sold_once";
--> statement-breakpoint
-- still-works: the version before writes no change, so that the index holds it to one invoice as its own did.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "invoices_one_of_sale" ON "invoices" USING btree ("order_id",coalesce("change_id", "order_id")) WHERE "invoices"."kind" = 'invoice' and "invoices"."voided_at" is null;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "invoices_one_of_order";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "invoices_change" ON "invoices" USING btree ("change_id") WHERE "invoices"."change_id" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "refunds_change" ON "refunds" USING btree ("change_id") WHERE "refunds"."change_id" is not null;
