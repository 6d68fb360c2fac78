ALTER TABLE "order_lines" ADD COLUMN "unreserved_quantity" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "buyer_network" text;--> statement-breakpoint
CREATE INDEX "orders_pending_network" ON "orders" USING btree ("buyer_network") WHERE "orders"."status" = 'pending';--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_unreserved" CHECK ("order_lines"."unreserved_quantity" between 0 and "order_lines"."quantity");--> statement-breakpoint
-- What the pending orders of one buyer ask for of a product: how much of it is reserved, and how much is not. A buyer is a
-- visitor and everybody at the visitor's network address, since either alone is cheap to change.
CREATE FUNCTION pending_units(of_product integer, for_visitor uuid, at_network text, but_order uuid,
  OUT reserved integer, OUT unreserved integer) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(l.quantity - l.unreserved_quantity), 0)::int, coalesce(sum(l.unreserved_quantity), 0)::int
  FROM orders o JOIN order_lines l ON l.order_id = o.id
  WHERE o.status = 'pending' AND o.id IS DISTINCT FROM but_order AND l.product_id = of_product
    AND (o.visitor_id = for_visitor OR o.buyer_network = at_network)
$$;
--> statement-breakpoint
-- Reserves the units of an order that was just written, or answers false where a line cannot be had; the caller rolls back
-- then. One buyer's pending orders never reserve the last tenth of what is on hand, nor the last unit, so that nobody can
-- make a product sold out for others without paying; what an order asks for beyond that is taken when it is paid. A
-- function, because its statements see what other orders left while this one waited for the row of stock, which one
-- statement does not.
CREATE FUNCTION reserve_units(for_order uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  buyer record;
  line record;
  shelf record;
  own record;
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
    units := least(line.quantity,
      greatest(0, shelf.on_hand - greatest(1, ceil(shelf.on_hand / 10.0)::int) - own.reserved));
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
