CREATE INDEX "messages_order" ON "messages" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "messages_recipient" ON "messages" USING btree (lower("recipient"));