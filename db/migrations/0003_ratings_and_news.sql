-- The rating counts of a product follow its published reviews, whoever writes them and however many do so at once.
CREATE FUNCTION count_review_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status = NEW.status AND OLD.rating = NEW.rating AND OLD.product_id = NEW.product_id THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.status = 'published' THEN
    UPDATE product_ratings SET
      stars_1 = stars_1 - (OLD.rating = 1)::int, stars_2 = stars_2 - (OLD.rating = 2)::int,
      stars_3 = stars_3 - (OLD.rating = 3)::int, stars_4 = stars_4 - (OLD.rating = 4)::int,
      stars_5 = stars_5 - (OLD.rating = 5)::int
    WHERE product_id = OLD.product_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'published' THEN
    INSERT INTO product_ratings AS r (product_id, stars_1, stars_2, stars_3, stars_4, stars_5)
    VALUES (NEW.product_id, (NEW.rating = 1)::int, (NEW.rating = 2)::int, (NEW.rating = 3)::int,
      (NEW.rating = 4)::int, (NEW.rating = 5)::int)
    ON CONFLICT (product_id) DO UPDATE SET
      stars_1 = r.stars_1 + excluded.stars_1, stars_2 = r.stars_2 + excluded.stars_2,
      stars_3 = r.stars_3 + excluded.stars_3, stars_4 = r.stars_4 + excluded.stars_4,
      stars_5 = r.stars_5 + excluded.stars_5;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
INSERT INTO product_ratings (product_id, stars_1, stars_2, stars_3, stars_4, stars_5)
SELECT product_id, count(*) FILTER (WHERE rating = 1), count(*) FILTER (WHERE rating = 2),
  count(*) FILTER (WHERE rating = 3), count(*) FILTER (WHERE rating = 4), count(*) FILTER (WHERE rating = 5)
FROM reviews WHERE status = 'published' GROUP BY product_id;
--> statement-breakpoint
CREATE TRIGGER reviews_counted AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION count_review_ratings();
--> statement-breakpoint
-- News gets as precise as the pages that wait for it: what a product says, how often it was seen, what is left of it,
-- and what buyers say of it are four matters.
DROP TRIGGER products_changed ON products;
--> statement-breakpoint
CREATE TRIGGER products_added_or_removed AFTER INSERT OR DELETE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER UPDATE OF id, slug, name, short_description, description, price_cents, currency,
    size, benefits, usage, is_bestseller, is_new, published ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
CREATE TRIGGER products_viewed AFTER UPDATE OF view_count ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('views');
--> statement-breakpoint
DROP TRIGGER stock_added_or_removed ON stock;
--> statement-breakpoint
CREATE TRIGGER stock_added_or_removed AFTER INSERT OR DELETE ON stock
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('stock');
--> statement-breakpoint
DROP TRIGGER stock_changed ON stock;
--> statement-breakpoint
CREATE TRIGGER stock_changed AFTER UPDATE ON stock FOR EACH ROW
  WHEN (least(OLD.on_hand - OLD.reserved, 11) IS DISTINCT FROM least(NEW.on_hand - NEW.reserved, 11))
  EXECUTE FUNCTION notify_shop_changed('stock');
--> statement-breakpoint
DROP TRIGGER reviews_changed ON reviews;
--> statement-breakpoint
-- `reviews:<product id>`. A review that shoppers did not see and do not see now is no news to them.
CREATE FUNCTION notify_review_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'published' THEN
    PERFORM pg_notify('shop_changed', 'reviews:' || OLD.product_id);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'published' THEN
    PERFORM pg_notify('shop_changed', 'reviews:' || NEW.product_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER reviews_changed AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION notify_review_changed();
