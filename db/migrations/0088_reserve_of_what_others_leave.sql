-- The share that one buyer leaves to others is now a tenth (at least one unit) of what other buyers' orders have not already
-- reserved. It was a tenth of what is on hand, so that one honest checkout elsewhere used it up. Nothing else changes.
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
