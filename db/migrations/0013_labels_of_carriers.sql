ALTER TABLE "products" ADD COLUMN "hs_code" text;
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "origin_country" text;
--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "called_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "tracking" text DEFAULT 'announced' NOT NULL;
--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "tracked_at" timestamp with time zone;
--> statement-breakpoint
-- A shop has few products.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "products" ADD CONSTRAINT "products_hs_code" CHECK ("products"."hs_code" ~ '^[0-9]{6,12}$');
--> statement-breakpoint
-- A shop has few products.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "products" ADD CONSTRAINT "products_origin" CHECK ("products"."origin_country" ~ '^[A-Z]{2}$');
