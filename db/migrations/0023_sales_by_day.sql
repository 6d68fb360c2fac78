CREATE TABLE "sales_days" (
	"starts_at" timestamp with time zone NOT NULL,
	"provider" text NOT NULL,
	"orders" integer NOT NULL,
	"goods_cents" bigint NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"proceeds_cents" bigint DEFAULT 0 NOT NULL,
	"given_cents" bigint NOT NULL,
	"checkouts" integer NOT NULL,
	"refunds" integer NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sales_days_starts_at_provider_pk" PRIMARY KEY("starts_at","provider")
);
--> statement-breakpoint
ALTER TABLE "sales_quarters" ADD COLUMN "views" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The quarters made so far count no visits, and nobody's days are made: all of it is made anew.
DELETE FROM "sales_rollup";--> statement-breakpoint
ALTER TABLE "sales_rollup" ADD COLUMN "time_zone" text NOT NULL;