ALTER TABLE "order_filters" ADD COLUMN "list" text DEFAULT 'orders' NOT NULL;
--> statement-breakpoint
-- still-works: the version before writes filters of orders alone, which is the default.
ALTER TABLE "order_filters" ADD CONSTRAINT "order_filters_list" CHECK ("order_filters"."list" in ('orders','customers')) NOT VALID;
