DROP INDEX "visitors_seen";--> statement-breakpoint
CREATE INDEX "visitors_seen" ON "visitors" USING btree ("seen_at","id");