DROP INDEX "orders_to_ship";--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("created_at","id","mode") WHERE "orders"."status" in ('completed','partially_refunded') and "orders"."shipped_at" is null and "orders"."called_off_at" is null and "orders"."all_back_at" is null and "orders"."ship_hold" is null;--> statement-breakpoint
-- Stripe's test mode is summed up apart from now on: all of it is made anew.
DELETE FROM "sales_rollup";
