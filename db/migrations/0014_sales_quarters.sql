CREATE TABLE "sales_quarters" (
	"starts_at" timestamp with time zone NOT NULL,
	"provider" text NOT NULL,
	"orders" integer NOT NULL,
	"goods_cents" bigint NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"given_cents" bigint NOT NULL,
	"checkouts" integer NOT NULL,
	"refunds" integer NOT NULL,
	"refunded_cents" bigint NOT NULL,
	CONSTRAINT "sales_quarters_starts_at_provider_pk" PRIMARY KEY("starts_at","provider")
);
--> statement-breakpoint
CREATE TABLE "sales_rollup" (
	"one" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"through" timestamp with time zone NOT NULL,
	"whole_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sales_rollup_one_row" CHECK ("sales_rollup"."one" = 1)
);
--> statement-breakpoint
DROP TABLE "sales_hours" CASCADE;