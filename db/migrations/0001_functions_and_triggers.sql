-- Every function and trigger of the database, by the noun whose tables it watches. All statements can be repeated.

-- Changes that every server hears of -------------------------------------------------------------------------------------------
-- Servers keep pages and answers until they are notified of a change, by whatever wrote it.
CREATE OR REPLACE FUNCTION notify_shop_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shop_changed', TG_ARGV[0]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER settings_changed AFTER INSERT OR UPDATE OR DELETE ON settings
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('settings');
--> statement-breakpoint
-- A trial of a key at its service notifies nobody. A key that is encrypted anew does, and servers find its version unchanged.
CREATE OR REPLACE TRIGGER secrets_changed AFTER INSERT OR DELETE OR UPDATE OF sealed ON secrets
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('secrets');
--> statement-breakpoint
-- Pages show the published texts. Saved revisions notify, too, which costs a rendering or two.
CREATE OR REPLACE TRIGGER content_versions_changed AFTER INSERT OR UPDATE OR DELETE ON content_versions
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('content');
--> statement-breakpoint
-- Every server deletes the sizes that it made of a deleted original.
CREATE OR REPLACE TRIGGER picture_originals_deleted AFTER DELETE ON picture_originals
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('picture_originals');
--> statement-breakpoint

-- Products ---------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE TRIGGER products_added_or_removed AFTER INSERT OR DELETE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
CREATE OR REPLACE TRIGGER products_changed AFTER UPDATE OF id, slug, name, short_description, description, price_cents, currency,
    size, family_id, family_position, gtin, mpn, sku, weight_grams, cost, compare_at_price, scent, lasts, video_url, benefits,
    usage, is_bestseller, is_new, published, archived_at ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
CREATE OR REPLACE TRIGGER products_viewed AFTER UPDATE OF view_count ON products
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('views');
--> statement-breakpoint
CREATE OR REPLACE TRIGGER product_images_changed AFTER INSERT OR UPDATE OR DELETE ON product_images
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
CREATE OR REPLACE TRIGGER product_bundles_changed AFTER INSERT OR UPDATE OR DELETE ON product_bundles
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
--> statement-breakpoint
-- The sitemap gives search engines the time of the last change that shoppers can read.
CREATE OR REPLACE FUNCTION date_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER products_dated BEFORE UPDATE OF slug, name, short_description, description, price_cents, currency, size,
    benefits, usage, is_bestseller, is_new, published ON products
  FOR EACH ROW EXECUTE FUNCTION date_product();
--> statement-breakpoint
-- A size is named by its family's name and its size.
CREATE OR REPLACE FUNCTION name_product_of_family() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A backup may load products before their families; their rows then bring the name.
  NEW.name := coalesce((SELECT f.name || ', ' || NEW.size FROM product_families f WHERE f.id = NEW.family_id), NEW.name);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER products_name_of_family BEFORE INSERT OR UPDATE OF name, size, family_id ON products
  FOR EACH ROW WHEN (NEW.family_id IS NOT NULL) EXECUTE FUNCTION name_product_of_family();
--> statement-breakpoint
-- The revision grows, so that a form that shows one of the sizes is told of the new name.
CREATE OR REPLACE FUNCTION rename_products_of_family() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE products SET name = name, revision = revision + 1, updated_at = now() WHERE family_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER product_families_renamed AFTER UPDATE OF name ON product_families
  FOR EACH ROW WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION rename_products_of_family();
--> statement-breakpoint

-- Stock ------------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE TRIGGER stock_added_or_removed AFTER INSERT OR DELETE ON stock
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('stock');
--> statement-breakpoint
-- Shoppers see how many units are left from 10 down, so only such a sale notifies. A notification for every order would make all
-- orders wait for one another.
CREATE OR REPLACE TRIGGER stock_changed AFTER UPDATE ON stock FOR EACH ROW
  WHEN (least(OLD.on_hand - OLD.reserved, 11) IS DISTINCT FROM least(NEW.on_hand - NEW.reserved, 11))
  EXECUTE FUNCTION notify_shop_changed('stock');
--> statement-breakpoint
-- The units that the pending orders of one buyer have reserved of a product, and those that they have not. A buyer is a visitor and
-- everybody at the visitor's network address, since either alone is cheap to change.
CREATE OR REPLACE FUNCTION pending_units(of_product integer, for_visitor uuid, at_network text, but_order uuid,
  OUT reserved integer, OUT unreserved integer) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(l.quantity - l.unreserved_quantity), 0)::int, coalesce(sum(l.unreserved_quantity), 0)::int
  FROM orders o JOIN order_lines l ON l.order_id = o.id
  WHERE o.status = 'pending' AND o.id IS DISTINCT FROM but_order AND l.product_id = of_product
    AND (o.visitor_id = for_visitor OR o.buyer_network = at_network)
$$;
--> statement-breakpoint
-- Reserves the units of an order that was just inserted. Returns false if a line cannot be had; the caller then rolls back. Of
-- what other buyers' orders have not reserved, a tenth (at least one unit) stays free, so that nobody makes a product sold out for
-- others without paying. What an order asks for beyond that is taken when it is paid. It is a function because its statements see
-- what other orders left while this one waited for the row of stock; a single statement would not.
CREATE OR REPLACE FUNCTION reserve_units(for_order uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  buyer record;
  line record;
  shelf record;
  own record;
  left_by_others integer;
  units integer;
BEGIN
  SELECT visitor_id, buyer_network INTO STRICT buyer FROM orders WHERE id = for_order;
  FOR line IN SELECT product_id, quantity FROM order_lines WHERE order_id = for_order ORDER BY product_id LOOP
    SELECT on_hand, reserved INTO shelf FROM stock WHERE product_id = line.product_id FOR UPDATE;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    SELECT * INTO own FROM pending_units(line.product_id, buyer.visitor_id, buyer.buyer_network, for_order);
    IF line.quantity > shelf.on_hand - shelf.reserved - own.unreserved THEN
      RETURN false;
    END IF;
    left_by_others := shelf.on_hand - (shelf.reserved - own.reserved);
    units := least(line.quantity,
      greatest(0, left_by_others - greatest(1, ceil(left_by_others / 10.0)::int) - own.reserved));
    IF units < line.quantity THEN
      UPDATE order_lines SET unreserved_quantity = line.quantity - units
      WHERE order_id = for_order AND product_id = line.product_id;
    END IF;
    IF units > 0 THEN
      UPDATE stock SET reserved = reserved + units WHERE product_id = line.product_id;
      INSERT INTO stock_movements (product_id, order_id, kind, quantity)
      VALUES (line.product_id, for_order, 'reserved', units);
    END IF;
  END LOOP;
  RETURN true;
END $$;
--> statement-breakpoint
-- Reserves or fails, so that the commit can be sent without waiting for an answer: all orders wait for the rows of stock that it
-- locks. `server/inventory/commands.ts` knows the error code PA001.
CREATE OR REPLACE FUNCTION reserve_or_fail(for_order uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT reserve_units(for_order) THEN
    RAISE EXCEPTION 'not enough units are left for this order' USING ERRCODE = 'PA001';
  END IF;
END $$;
--> statement-breakpoint

-- Batches ----------------------------------------------------------------------------------------------------------------------
-- `stock.batched` is the sum of the product's batches. Every writer has locked the row of stock before.
CREATE OR REPLACE FUNCTION count_batched_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stock SET batched = batched + NEW.remaining - CASE TG_OP WHEN 'UPDATE' THEN OLD.remaining ELSE 0 END
  WHERE product_id = NEW.product_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER batches_received AFTER INSERT ON batches
  FOR EACH ROW EXECUTE FUNCTION count_batched_units();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER batches_counted AFTER UPDATE OF remaining ON batches
  FOR EACH ROW WHEN (OLD.remaining <> NEW.remaining) EXECUTE FUNCTION count_batched_units();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_batch_away() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stock SET batched = batched - OLD.remaining WHERE product_id = OLD.product_id;
  IF TG_OP = 'UPDATE' THEN
    -- `batches_counted` adds what the same update changed of `remaining`.
    UPDATE stock SET batched = batched + OLD.remaining WHERE product_id = NEW.product_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER batches_deleted AFTER DELETE ON batches
  FOR EACH ROW WHEN (OLD.remaining > 0) EXECUTE FUNCTION count_batch_away();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER batches_moved AFTER UPDATE OF product_id ON batches
  FOR EACH ROW WHEN (OLD.product_id <> NEW.product_id) EXECUTE FUNCTION count_batch_away();
--> statement-breakpoint
-- Batches never hold more units than the shelf. Checked at the end of the transaction, because a sale takes its units off the shelf
-- first and off their batches then.
CREATE OR REPLACE FUNCTION check_batched_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM stock WHERE product_id = NEW.product_id AND batched NOT BETWEEN 0 AND on_hand) THEN
    RAISE EXCEPTION 'the batches of product % hold more units than its shelf', NEW.product_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER IF EXISTS stock_batched_within_on_hand ON stock;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER stock_batched_within_on_hand AFTER INSERT OR UPDATE ON stock
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.batched NOT BETWEEN 0 AND NEW.on_hand)
  EXECUTE FUNCTION check_batched_units();
--> statement-breakpoint
-- Takes the units that an order bought off their batches and records which: first the batch nearest to its best-before date, then
-- units of no batch, and last those past their date, which are taken off sale before (docs/decisions/0017-batches.md). `today` is
-- the shop's day. An order may take units of a batch again, when it is edited. Returns the batch if all units came from one. It is a
-- function for the reason that `reserve_units` is.
CREATE OR REPLACE FUNCTION take_from_batches(sold_order uuid, sold_product integer, sold integer, loose integer, today date)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  only_batch bigint;
BEGIN
  WITH shelf AS (
    SELECT id, remaining,
      coalesce(sum(remaining) OVER (ORDER BY is_over, best_before, id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) + CASE WHEN is_over THEN loose ELSE 0 END AS ahead
    FROM (SELECT id, remaining, best_before, best_before < today AS is_over FROM batches
      WHERE product_id = sold_product AND remaining > 0) AS left_over
  ), taken AS (
    SELECT id, least(remaining, sold - ahead)::int AS quantity FROM shelf WHERE ahead < sold
  ), lessened AS (
    UPDATE batches SET remaining = remaining - taken.quantity FROM taken WHERE batches.id = taken.id
  ), noted AS (
    INSERT INTO batch_units (order_id, product_id, batch_id, quantity)
    SELECT sold_order, sold_product, id, quantity FROM taken
    ON CONFLICT (order_id, product_id, batch_id) DO UPDATE SET quantity = batch_units.quantity + excluded.quantity
  )
  SELECT min(id) INTO only_batch FROM taken HAVING count(*) = 1 AND sum(quantity) = sold;
  RETURN only_batch;
END $$;
--> statement-breakpoint
-- Puts returned units back into the batches they were taken from. Nobody reads the batch off a returned bottle, so the batch nearest
-- to its date is taken: no unit gets a later date than it has.
CREATE OR REPLACE FUNCTION return_to_batches(sold_order uuid, sold_product integer, came_back integer)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  only_batch bigint;
BEGIN
  WITH away AS (
    SELECT u.batch_id, u.quantity - u.returned AS units,
      coalesce(sum(u.quantity - u.returned) OVER (ORDER BY b.best_before, b.id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS ahead
    FROM batch_units u JOIN batches b ON b.id = u.batch_id
    WHERE u.order_id = sold_order AND u.product_id = sold_product AND u.returned < u.quantity
  ), back AS (
    SELECT batch_id, least(units, came_back - ahead)::int AS quantity FROM away WHERE ahead < came_back
  ), noted AS (
    UPDATE batch_units u SET returned = u.returned + back.quantity FROM back
    WHERE u.order_id = sold_order AND u.product_id = sold_product AND u.batch_id = back.batch_id
  ), filled AS (
    UPDATE batches SET remaining = remaining + back.quantity FROM back WHERE batches.id = back.batch_id
  )
  SELECT min(batch_id) INTO only_batch FROM back HAVING count(*) = 1 AND sum(quantity) = came_back;
  RETURN only_batch;
END $$;
--> statement-breakpoint

-- Orders -----------------------------------------------------------------------------------------------------------------------
-- Monitoring reads these counts; counting all orders each time would scan the table.
CREATE OR REPLACE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO order_count_changes (status, change) VALUES (OLD.status, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO order_count_changes (status, change) VALUES (NEW.status, 1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER orders_counted AFTER INSERT OR DELETE ON orders
  FOR EACH ROW EXECUTE FUNCTION count_orders();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER orders_counted_again AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_orders();
--> statement-breakpoint
-- An order's tax belongs to the place it was taxed for, wherever a paid order is sent afterwards.
CREATE OR REPLACE FUNCTION keep_tax_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.taxed_for := coalesce(OLD.taxed_for,
    jsonb_build_object('country', OLD.shipping->>'country', 'state', OLD.shipping->>'state'));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER orders_tax_place BEFORE UPDATE OF shipping, taxed_for ON orders FOR EACH ROW
  WHEN (OLD.paid_at IS NOT NULL AND (OLD.taxed_for IS NOT NULL OR
    (OLD.shipping->>'country', OLD.shipping->>'state') IS DISTINCT FROM (NEW.shipping->>'country', NEW.shipping->>'state')))
  EXECUTE FUNCTION keep_tax_place();
--> statement-breakpoint
-- The check `order_lines_shipped` then refuses units that were not ordered, or were put back.
CREATE OR REPLACE FUNCTION count_shipped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE order_lines SET shipped_quantity = shipped_quantity - OLD.quantity
      WHERE order_id = OLD.order_id AND product_id = OLD.product_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE order_lines SET shipped_quantity = shipped_quantity + NEW.quantity
      WHERE order_id = NEW.order_id AND product_id = NEW.product_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER shipment_lines_counted AFTER INSERT OR UPDATE OR DELETE ON shipment_lines
  FOR EACH ROW EXECUTE FUNCTION count_shipped();
--> statement-breakpoint
-- Units that are put back before they were shipped are kept. While a return is open, units that were shipped come back first.
CREATE OR REPLACE FUNCTION keep_units_put_back() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  back integer := NEW.returned_quantity - OLD.returned_quantity;
  waiting integer := NEW.quantity - NEW.shipped_quantity - NEW.kept_quantity;
BEGIN
  IF waiting > 0 AND EXISTS (
    SELECT FROM order_returns WHERE order_id = NEW.order_id AND status IN ('requested', 'approved')
  ) THEN
    back := back - (NEW.shipped_quantity - (OLD.returned_quantity - OLD.kept_quantity));
  END IF;
  NEW.kept_quantity := NEW.kept_quantity + greatest(0, least(back, waiting));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER order_lines_put_back BEFORE UPDATE OF returned_quantity ON order_lines
  FOR EACH ROW WHEN (NEW.returned_quantity > OLD.returned_quantity) EXECUTE FUNCTION keep_units_put_back();
--> statement-breakpoint

-- Customers --------------------------------------------------------------------------------------------------------------------
-- A changed order has its customer computed again. Only the address is recorded here, so that two orders of one buyer never wait
-- for each other.
CREATE OR REPLACE FUNCTION note_customer_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO customer_changes (email) VALUES (lower(OLD.email));
  END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.erased_at IS NULL AND lower(NEW.email) <> lower(OLD.email)) THEN
    INSERT INTO customer_changes (email) VALUES (lower(NEW.email));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER orders_of_customer_inserted AFTER INSERT ON orders
  FOR EACH ROW WHEN (NEW.paid_at IS NOT NULL) EXECUTE FUNCTION note_customer_change();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER orders_of_customer_deleted AFTER DELETE ON orders
  FOR EACH ROW WHEN (OLD.paid_at IS NOT NULL) EXECUTE FUNCTION note_customer_change();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER orders_of_customer_updated
  AFTER UPDATE OF email, paid_at, mode, total_cents, refunded_cents, charged_back_cents, customer_name, phone, shipping, gift, erased_at
  ON orders
  FOR EACH ROW WHEN (OLD.paid_at IS NOT NULL OR NEW.paid_at IS NOT NULL) EXECUTE FUNCTION note_customer_change();
--> statement-breakpoint

-- Discounts --------------------------------------------------------------------------------------------------------------------
-- The uses of a code are counted as they are written: every price with a code reads the count. Whoever takes a use has locked the
-- code's row.
CREATE OR REPLACE FUNCTION count_discount_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE discounts SET used = used + CASE TG_OP WHEN 'INSERT' THEN uses ELSE -uses END
  FROM (SELECT discount_id, count(*) AS uses FROM written GROUP BY discount_id) AS counted
  WHERE discounts.id = discount_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER discount_uses_taken AFTER INSERT ON discount_uses REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER discount_uses_released AFTER DELETE ON discount_uses REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();
--> statement-breakpoint

-- Reviews ----------------------------------------------------------------------------------------------------------------------
-- Notifies of `reviews:<product id>` where shoppers saw the review before, or see it now.
CREATE OR REPLACE FUNCTION notify_review_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER reviews_changed AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION notify_review_changed();
--> statement-breakpoint
-- Counts of a product's published reviews by their stars.
CREATE OR REPLACE FUNCTION count_review_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER reviews_counted AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION count_review_ratings();
--> statement-breakpoint
-- Counts of published reviews by everything that shoppers filter them by.
CREATE OR REPLACE FUNCTION count_review_kinds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.status, OLD.rating, OLD.product_id, OLD.hair, OLD.skin, OLD.photos_shown > 0)
      IS NOT DISTINCT FROM (NEW.status, NEW.rating, NEW.product_id, NEW.hair, NEW.skin, NEW.photos_shown > 0) THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.status = 'published' THEN
    UPDATE review_counts SET count = count - 1
    WHERE product_id = OLD.product_id AND rating = OLD.rating AND hair = coalesce(OLD.hair, '')
      AND skin = coalesce(OLD.skin, '') AND has_photos = (OLD.photos_shown > 0);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'published' THEN
    INSERT INTO review_counts AS c (product_id, rating, hair, skin, has_photos, count)
    VALUES (NEW.product_id, NEW.rating, coalesce(NEW.hair, ''), coalesce(NEW.skin, ''), NEW.photos_shown > 0, 1)
    ON CONFLICT (product_id, rating, hair, skin, has_photos) DO UPDATE SET count = c.count + 1;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER reviews_counted_by_kind AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION count_review_kinds();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_helpful_votes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE reviews SET helpful_count = helpful_count + 1 WHERE id = NEW.review_id;
  ELSE
    UPDATE reviews SET helpful_count = helpful_count - 1 WHERE id = OLD.review_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER review_votes_counted AFTER INSERT OR DELETE ON review_votes
  FOR EACH ROW EXECUTE FUNCTION count_helpful_votes();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_shown_photos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'shown' THEN
    UPDATE reviews SET photos_shown = photos_shown - 1 WHERE id = OLD.review_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'shown' THEN
    UPDATE reviews SET photos_shown = photos_shown + 1 WHERE id = NEW.review_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER review_photos_counted AFTER INSERT OR UPDATE OF status, review_id OR DELETE ON review_photos
  FOR EACH ROW EXECUTE FUNCTION count_shown_photos();
--> statement-breakpoint
-- The original of a photo is deleted with it; `picture_originals_deleted` then has every server delete its sizes.
CREATE OR REPLACE FUNCTION delete_photo_original() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM picture_originals WHERE file = OLD.file;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER review_photos_deleted AFTER DELETE ON review_photos
  FOR EACH ROW EXECUTE FUNCTION delete_photo_original();
--> statement-breakpoint
-- Servers also delete the sizes of photos that shoppers no longer see.
CREATE OR REPLACE TRIGGER review_photos_withdrawn AFTER UPDATE OF status ON review_photos
  FOR EACH ROW WHEN (OLD.status = 'shown' AND NEW.status <> 'shown') EXECUTE FUNCTION notify_shop_changed('picture_originals');
--> statement-breakpoint
CREATE OR REPLACE TRIGGER reviews_withdrawn AFTER UPDATE OF status ON reviews
  FOR EACH ROW WHEN (OLD.photos_shown > 0 AND OLD.status = 'published' AND NEW.status <> 'published')
  EXECUTE FUNCTION notify_shop_changed('picture_originals');
--> statement-breakpoint

-- Questions --------------------------------------------------------------------------------------------------------------------
CREATE OR REPLACE FUNCTION notify_question_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP <> 'INSERT' AND OLD.status = 'published') OR (TG_OP <> 'DELETE' AND NEW.status = 'published') THEN
    PERFORM pg_notify('shop_changed', 'questions');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER questions_changed AFTER INSERT OR UPDATE OR DELETE ON questions
  FOR EACH ROW EXECUTE FUNCTION notify_question_changed();
--> statement-breakpoint

-- Background jobs --------------------------------------------------------------------------------------------------------------
-- Queues jobs without a notification: PostgreSQL lets one notifying transaction commit at a time, so that orders would wait for one
-- another. The caller wakes the workers afterwards (server/platform/jobs/queued.ts); they also look every two seconds. The
-- queue's own tables are created after the migrations, when the server starts.
CREATE OR REPLACE FUNCTION queue_jobs(job text, tries smallint, job_priority smallint, payloads json[]) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO graphile_worker._private_tasks (identifier)
  SELECT job WHERE NOT EXISTS (SELECT FROM graphile_worker._private_tasks WHERE identifier = job)
  ON CONFLICT DO NOTHING;
  RETURN QUERY INSERT INTO graphile_worker._private_jobs AS jobs (task_id, payload, max_attempts, priority)
    SELECT tasks.id, payload, tries, job_priority
    FROM unnest(payloads) AS payload CROSS JOIN graphile_worker._private_tasks AS tasks
    WHERE tasks.identifier = job
    RETURNING jobs.id;
END $$;
