CREATE TABLE "product_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"left_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "product_slugs" ADD CONSTRAINT "product_slugs_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_alt_length" CHECK (char_length("product_images"."alt") between 1 and 300);--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_upload" CHECK ("product_images"."file" !~ '^u-' or ("product_images"."file" ~ '^u-[0-9a-f]{16}\.jpg$' and coalesce("product_images"."width", 0) between 480 and 8000 and coalesce("product_images"."height", 0) between 1 and 8000));--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_slug_length" CHECK (char_length("products"."slug") <= 80);--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_name_length" CHECK (char_length("products"."name") between 1 and 120);--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_texts_length" CHECK (char_length("products"."short_description") <= 300 and char_length("products"."description") <= 5000 and char_length("products"."size") <= 60 and char_length("products"."usage") <= 5000);--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_benefits" CHECK (jsonb_typeof("products"."benefits") = 'array' and jsonb_array_length("products"."benefits") <= 12);