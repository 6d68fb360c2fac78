DROP INDEX "batches_oldest_first";--> statement-breakpoint
ALTER TABLE "money_checks" ADD COLUMN "requested_by" text DEFAULT 'owner' NOT NULL;--> statement-breakpoint
ALTER TABLE "money_checks" ADD COLUMN "apart" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_checks" ADD COLUMN "apart_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_findings" ADD COLUMN "outcome" text;--> statement-breakpoint
CREATE INDEX "money_findings_intent" ON "money_findings" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "batches_oldest_first" ON "batches" USING btree ("product_id","best_before","id");--> statement-breakpoint
ALTER TABLE "money_checks" ADD CONSTRAINT "money_checks_requested_by" CHECK ("money_checks"."requested_by" in ('night','owner'));