ALTER TABLE "money_findings" DROP CONSTRAINT "money_findings_kind";--> statement-breakpoint
ALTER TABLE "money_checks" ADD COLUMN "provider_charged_back_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_checks" ADD COLUMN "booked_charged_back_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_checks" ADD COLUMN "provider_fee_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_checks" ADD COLUMN "booked_fee_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_checks" ADD COLUMN "held_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_days" ADD COLUMN "chargebacks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_days" ADD COLUMN "charged_back_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_days" ADD COLUMN "dispute_fee_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_quarters" ADD COLUMN "chargebacks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_quarters" ADD COLUMN "charged_back_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_quarters" ADD COLUMN "dispute_fee_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_findings" ADD CONSTRAINT "money_findings_kind" CHECK ("money_findings"."kind" in ('missing_order','missing_payment','amount_differs','refund_differs','dispute_differs'));