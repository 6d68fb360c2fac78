ALTER TABLE "labels" ADD COLUMN "refund_rejected_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_refund" CHECK ("labels"."refund_rejected_at" is null or "labels"."voided_at" is not null) NOT VALID;
--> statement-breakpoint
-- Refunds that carriers may still refuse are asked about; of the last 60 days, as server/labels/void.ts does.
UPDATE "labels" SET "asking_until" = now() WHERE "state" = 'voided' AND "voided_at" > now() - interval '60 days';
