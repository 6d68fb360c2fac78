-- oldest-program: 0004
UPDATE "messages" SET "status" = 'queued' WHERE "status" = 'sending';--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_status";--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "claimed_at";--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_status" CHECK ("messages"."status" in ('queued','sent','kept','failed','skipped'));
