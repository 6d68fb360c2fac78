-- oldest-program: 0004
UPDATE "messages" SET "status" = 'queued' WHERE "status" = 'sending';--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_status";--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "claimed_at";--> statement-breakpoint
-- No shop of 1.0 runs yet.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "messages" ADD CONSTRAINT "messages_status" CHECK ("messages"."status" in ('queued','sent','kept','failed','skipped'));
