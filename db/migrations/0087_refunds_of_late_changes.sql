-- As in migration 0061, but what goes back of a payment that came too late for a change takes nothing off the order's goods.
CREATE OR REPLACE FUNCTION split_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  goods bigint;
  shipping bigint;
  tax bigint;
  whole bigint;
  more bigint;
BEGIN
  SELECT greatest(o.subtotal_cents - o.discount_cents - r.goods, 0), greatest(o.shipping_cents - r.shipping, 0),
      greatest(o.tax_cents - r.tax, 0)
    INTO goods, shipping, tax
    FROM orders o, (
      SELECT coalesce(sum(goods_cents), 0) AS goods, coalesce(sum(shipping_cents), 0) AS shipping,
        coalesce(sum(tax_cents), 0) AS tax
      FROM refunds WHERE order_id = NEW.order_id AND id <> NEW.id AND status IN ('pending', 'succeeded')
        -- A payment that came too late for a change of the order's items is no part of the order.
        AND NOT EXISTS (SELECT FROM payments p WHERE p.intent_id = refunds.intent_id
          AND p.change_id IS NOT NULL AND p.status <> 'succeeded')
    ) r
    WHERE o.id = NEW.order_id;
  whole := goods + shipping + tax;
  IF whole > 0 THEN
    NEW.shipping_cents := least(NEW.amount_cents * shipping / whole, shipping);
    NEW.tax_cents := least(NEW.amount_cents * tax / whole, tax);
  END IF;
  -- The cents that are left over go to the goods, and where there are not as many, to the tax and the shipping.
  more := greatest(NEW.amount_cents - NEW.shipping_cents - NEW.tax_cents - goods, 0);
  IF NEW.amount_cents <= whole AND more > 0 THEN
    NEW.tax_cents := NEW.tax_cents + least(more, tax - NEW.tax_cents);
    more := greatest(NEW.amount_cents - NEW.shipping_cents - NEW.tax_cents - goods, 0);
    NEW.shipping_cents := NEW.shipping_cents + least(more, shipping - NEW.shipping_cents);
  END IF;
  NEW.goods_cents := NEW.amount_cents - NEW.shipping_cents - NEW.tax_cents;
  RETURN NEW;
END $$;
