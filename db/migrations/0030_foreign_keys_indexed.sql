CREATE INDEX "activity_at" ON "activity" USING btree ("at");--> statement-breakpoint
CREATE INDEX "admin_wrong_tries_at" ON "admin_wrong_tries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "cart_items_product" ON "cart_items" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "product_slugs_product" ON "product_slugs" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "product_view_hours_product" ON "product_view_hours" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "product_views_hour" ON "product_views" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "cart_reminders_created" ON "cart_reminders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contact_messages_done" ON "contact_messages" USING btree ("created_at") WHERE "contact_messages"."status" = 'done';--> statement-breakpoint
CREATE INDEX "contact_messages_honeypot" ON "contact_messages" USING btree ("created_at") WHERE "contact_messages"."suspicion" = 'honeypot';--> statement-breakpoint
CREATE INDEX "batch_units_product" ON "batch_units" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "order_lines_product" ON "order_lines" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "order_lookups_email" ON "order_lookups" USING btree (lower("email"),"expires_at");--> statement-breakpoint
CREATE INDEX "order_lookups_expires" ON "order_lookups" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "orders_visitor" ON "orders" USING btree ("visitor_id");--> statement-breakpoint
CREATE INDEX "money_findings_order" ON "money_findings" USING btree ("order_id") WHERE "money_findings"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "reviews_visitor" ON "reviews" USING btree ("visitor_id");--> statement-breakpoint
CREATE INDEX "reviews_order" ON "reviews" USING btree ("order_id");