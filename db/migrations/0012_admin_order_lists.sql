ALTER TABLE "product_images" DROP CONSTRAINT "product_images_upload";--> statement-breakpoint
DROP INDEX "payments_intent";--> statement-breakpoint
CREATE INDEX "orders_on_the_way" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" in ('shipped','partially_refunded') and "orders"."shipped_at" is not null and "orders"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX "orders_cancelled" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" = 'cancelled';--> statement-breakpoint
CREATE INDEX "orders_refunded" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" = 'refunded';--> statement-breakpoint
CREATE INDEX "payment_flags_open" ON "payment_flags" USING btree ("order_id") WHERE "payment_flags"."resolved_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_intent" ON "payments" USING btree ("intent_id" text_pattern_ops);--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_upload" CHECK ("product_images"."file" !~ '^u-' or ("product_images"."file" ~ '^u-[0-9a-f]{16}\.jpg$' and coalesce("product_images"."width", 0) between 480 and 8000 and coalesce("product_images"."height", 0) between 1 and 8000));