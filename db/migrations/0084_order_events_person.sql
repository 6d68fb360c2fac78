ALTER TABLE "order_events" ADD COLUMN "person_id" uuid;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "person_id" uuid;