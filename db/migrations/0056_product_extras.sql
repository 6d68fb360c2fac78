-- What the owner adds for shoppers: scent, how long it lasts, a video. Versions before this one write none of them.
ALTER TABLE "products" ADD COLUMN "scent" text CONSTRAINT "products_scent_length" CHECK (char_length("scent") between 1 and 160);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "lasts" text CONSTRAINT "products_lasts_length" CHECK (char_length("lasts") between 1 and 160);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "video_url" text CONSTRAINT "products_video" CHECK ("video_url" ~ '^https://' and char_length("video_url") <= 500);
--> statement-breakpoint
DROP TRIGGER products_changed ON products;
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER UPDATE OF id, slug, name, short_description, description, price_cents, currency,
    size, gtin, mpn, scent, lasts, video_url, benefits, usage, is_bestseller, is_new, published ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
