ALTER TABLE "payments" DROP CONSTRAINT "payments_status";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_has_object";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "hosted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "opening_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "opening_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "failure" text;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_opening" ON "payments" USING btree ("order_id") WHERE "payments"."status" = 'opening';--> statement-breakpoint
CREATE INDEX "payments_opening_since" ON "payments" USING btree ("opening_until") WHERE "payments"."status" = 'opening';--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_failure" CHECK ("payments"."failure" in ('unavailable','refused'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_opening" CHECK ("payments"."status" <> 'opening' or "payments"."opening_until" is not null);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_status" CHECK ("payments"."status" in ('opening','requires_payment','processing','succeeded','canceled'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_has_object" CHECK ("payments"."intent_id" is not null or "payments"."session_id" is not null or "payments"."status" in ('opening','canceled'));--> statement-breakpoint
UPDATE "payments" SET "hosted" = true WHERE "session_id" IS NOT NULL;
