-- The shop's number, weight, cost and compare-at price of a product, and when it was archived. Versions before this one write
-- none of them, and cannot publish what is archived.
ALTER TABLE "products" ADD COLUMN "sku" text CONSTRAINT "products_sku_length" CHECK (char_length("sku") between 1 and 64);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "weight_grams" integer CONSTRAINT "products_weight" CHECK ("weight_grams" between 1 and 100000);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "cost_cents" integer CONSTRAINT "products_cost" CHECK ("cost_cents" between 0 and 99999999);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "compare_at_cents" integer CONSTRAINT "products_compare_at" CHECK ("compare_at_cents" between 1 and 99999999);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "archived_at" timestamp with time zone CONSTRAINT "products_archived" CHECK ("archived_at" is null or not "published");
--> statement-breakpoint
-- still-works: servers of the version before leave the column empty. The table is small: the index is there at once.
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "products_sku" ON "products" USING btree (lower("sku"));
--> statement-breakpoint
DROP TRIGGER products_changed ON products;
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER UPDATE OF id, slug, name, short_description, description, price_cents, currency,
    size, gtin, mpn, sku, weight_grams, cost_cents, compare_at_cents, scent, lasts, video_url, benefits, usage, is_bestseller,
    is_new, published, archived_at ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
