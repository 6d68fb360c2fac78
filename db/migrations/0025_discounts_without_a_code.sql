ALTER TABLE "discounts" DROP CONSTRAINT "discounts_code_form";--> statement-breakpoint
ALTER TABLE "discounts" ADD COLUMN "automatic" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "discounts" ADD COLUMN "product_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "discounts" ADD COLUMN "minimum_units" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A shop has few discounts.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "discounts" ADD CONSTRAINT "discounts_minimum_units" CHECK ("discounts"."minimum_units" between 0 and 1000);--> statement-breakpoint
-- A shop has few discounts.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "discounts" ADD CONSTRAINT "discounts_code_form" CHECK (case when "discounts"."automatic" then char_length("discounts"."code") between 3 and 40 else "discounts"."code" ~ '^[A-Za-z0-9_-]{3,40}$' end);--> statement-breakpoint
CREATE OR REPLACE TRIGGER discounts_switched AFTER INSERT OR DELETE OR UPDATE OF automatic, active ON discounts
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('discounts');
