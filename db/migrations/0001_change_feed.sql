-- Tells every server what changed, whoever changed it: servers keep pages and answers until they hear of it.
CREATE FUNCTION notify_shop_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shop_changed', TG_ARGV[0]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER INSERT OR UPDATE OR DELETE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
CREATE TRIGGER product_images_changed AFTER INSERT OR UPDATE OR DELETE ON product_images
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
CREATE TRIGGER reviews_changed AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
CREATE TRIGGER stock_added_or_removed AFTER INSERT OR DELETE ON stock
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
-- Shoppers see how many are left from 10 down (domain/product.ts): only then is a sale news. A notification on every
-- order would make all orders wait for one another.
CREATE TRIGGER stock_changed AFTER UPDATE ON stock FOR EACH ROW
  WHEN (least(OLD.on_hand - OLD.reserved, 11) IS DISTINCT FROM least(NEW.on_hand - NEW.reserved, 11))
  EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
CREATE TRIGGER settings_changed AFTER INSERT OR UPDATE OR DELETE ON settings
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('settings');
