CREATE TABLE "shipment_lines" (
	"shipment_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"product_id" integer NOT NULL,
	"quantity" integer NOT NULL,
	CONSTRAINT "shipment_lines_shipment_id_product_id_pk" PRIMARY KEY("shipment_id","product_id"),
	CONSTRAINT "shipment_lines_quantity" CHECK ("shipment_lines"."quantity" > 0)
);
--> statement-breakpoint
CREATE TABLE "shipments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"carrier" text NOT NULL,
	"tracking_number" text,
	"shipped_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "shipments_number" CHECK ("shipments"."number" > 0)
);
--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "shipped_quantity" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "kept_quantity" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "partly_shipped_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shipment_lines" ADD CONSTRAINT "shipment_lines_shipment_id_shipments_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipment_lines" ADD CONSTRAINT "shipment_lines_order_line" FOREIGN KEY ("order_id","product_id") REFERENCES "public"."order_lines"("order_id","product_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shipment_lines_order_line" ON "shipment_lines" USING btree ("order_id","product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_order_number" ON "shipments" USING btree ("order_id","number");--> statement-breakpoint
CREATE INDEX "shipments_tracking" ON "shipments" USING btree (upper(translate("tracking_number", ' -', ''))) WHERE "shipments"."tracking_number" is not null;--> statement-breakpoint
-- still-works: servers of the version before leave both columns to the triggers below.
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_shipped" CHECK (least("order_lines"."shipped_quantity", "order_lines"."kept_quantity") >= 0 and "order_lines"."shipped_quantity" + "order_lines"."kept_quantity" <= "order_lines"."quantity") NOT VALID;--> statement-breakpoint
-- still-works: servers of the version before ship orders whole; one that cancels an order shipped in part is refused.
ALTER TABLE "orders" ADD CONSTRAINT "orders_cancelled_never_ships_in_part" CHECK ("orders"."called_off_at" is null or "orders"."partly_shipped_at" is null) NOT VALID;--> statement-breakpoint
-- What left until now left in one parcel.
INSERT INTO shipments (id, order_id, number, carrier, tracking_number, shipped_at, delivered_at)
  SELECT gen_random_uuid(), id, 1, coalesce(carrier, ''), tracking_number, shipped_at, delivered_at
  FROM orders WHERE shipped_at IS NOT NULL;--> statement-breakpoint
INSERT INTO shipment_lines (shipment_id, order_id, product_id, quantity)
  SELECT shipments.id, order_id, product_id, quantity FROM shipments JOIN order_lines USING (order_id);--> statement-breakpoint
UPDATE order_lines SET shipped_quantity = quantity
  FROM shipments WHERE shipments.order_id = order_lines.order_id;--> statement-breakpoint
UPDATE order_lines SET kept_quantity = returned_quantity WHERE returned_quantity > 0 AND shipped_quantity = 0;--> statement-breakpoint
-- The check on order_lines then refuses what was not ordered, or was put back, whoever ships it.
CREATE FUNCTION count_shipped() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;--> statement-breakpoint
CREATE TRIGGER shipment_lines_counted AFTER INSERT OR UPDATE OR DELETE ON shipment_lines
  FOR EACH ROW EXECUTE FUNCTION count_shipped();--> statement-breakpoint
-- Of units that are put back, those that have not left are kept here; where a return is open, those that left come first.
CREATE FUNCTION keep_units_put_back() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;--> statement-breakpoint
CREATE TRIGGER order_lines_put_back BEFORE UPDATE OF returned_quantity ON order_lines
  FOR EACH ROW WHEN (NEW.returned_quantity > OLD.returned_quantity) EXECUTE FUNCTION keep_units_put_back();--> statement-breakpoint
-- Servers of the version before ship whole orders and know no parcels: all that still waits went in one.
CREATE FUNCTION ship_what_waits() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parcel uuid := gen_random_uuid();
BEGIN
  IF NOT EXISTS (SELECT FROM order_lines WHERE order_id = NEW.id AND quantity > shipped_quantity + kept_quantity) THEN
    RETURN NULL;
  END IF;
  INSERT INTO shipments (id, order_id, number, carrier, tracking_number, shipped_at, delivered_at)
    SELECT parcel, NEW.id, coalesce(max(number), 0) + 1, coalesce(NEW.carrier, ''), NEW.tracking_number, NEW.shipped_at,
      NEW.delivered_at
    FROM shipments WHERE order_id = NEW.id;
  INSERT INTO shipment_lines (shipment_id, order_id, product_id, quantity)
    SELECT parcel, order_id, product_id, quantity - shipped_quantity - kept_quantity
    FROM order_lines WHERE order_id = NEW.id AND quantity > shipped_quantity + kept_quantity;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER orders_shipped_whole AFTER UPDATE OF shipped_at ON orders
  FOR EACH ROW WHEN (OLD.shipped_at IS NULL AND NEW.shipped_at IS NOT NULL) EXECUTE FUNCTION ship_what_waits();
--> statement-breakpoint
-- Nor do they know where else to correct, deliver or erase one.
CREATE FUNCTION follow_last_parcel() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shipments SET carrier = coalesce(NEW.carrier, ''), tracking_number = NEW.tracking_number
    WHERE order_id = NEW.id AND number = (SELECT max(number) FROM shipments WHERE order_id = NEW.id)
      AND (carrier, tracking_number) IS DISTINCT FROM (coalesce(NEW.carrier, ''), NEW.tracking_number);
  UPDATE shipments SET delivered_at = NEW.delivered_at
    WHERE order_id = NEW.id AND delivered_at IS NULL AND NEW.delivered_at IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER orders_parcel_changed AFTER UPDATE OF carrier, tracking_number, delivered_at ON orders
  FOR EACH ROW WHEN (OLD.shipped_at IS NOT NULL AND NEW.shipped_at IS NOT NULL
    AND (OLD.carrier, OLD.tracking_number, OLD.delivered_at) IS DISTINCT FROM (NEW.carrier, NEW.tracking_number, NEW.delivered_at))
  EXECUTE FUNCTION follow_last_parcel();
