-- A product's date is that of what shoppers read of it, whoever changes it: the sitemap tells it to search engines.
CREATE FUNCTION date_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_dated BEFORE UPDATE OF slug, name, short_description, description, price_cents, currency, size,
    benefits, usage, is_bestseller, is_new, published ON products
  FOR EACH ROW EXECUTE FUNCTION date_product();
