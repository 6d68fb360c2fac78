-- What shopping search knows a product by. Versions before this one write neither column.
ALTER TABLE "products" ADD COLUMN "gtin" text CONSTRAINT "products_gtin_form" CHECK ("gtin" ~ '^([0-9]{8}|[0-9]{12,14})$');
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "mpn" text CONSTRAINT "products_mpn_length" CHECK (char_length("mpn") between 1 and 70);
--> statement-breakpoint
DROP TRIGGER products_changed ON products;
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER UPDATE OF id, slug, name, short_description, description, price_cents, currency,
    size, gtin, mpn, benefits, usage, is_bestseller, is_new, published ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
