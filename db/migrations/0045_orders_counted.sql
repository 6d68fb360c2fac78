CREATE TABLE "order_count_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_count_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"change" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_counts" (
	"status" text PRIMARY KEY NOT NULL,
	"orders" bigint NOT NULL
);
--> statement-breakpoint
-- Whoever writes an order, it is counted: the figures for monitoring would else scan all orders, each time.
CREATE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER orders_counted AFTER INSERT OR DELETE ON orders
  FOR EACH ROW EXECUTE FUNCTION count_orders();
--> statement-breakpoint
CREATE TRIGGER orders_counted_again AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_orders();
--> statement-breakpoint
-- Nobody writes orders meanwhile: making the triggers has locked the table.
INSERT INTO order_counts (status, orders) SELECT status, count(*) FROM orders GROUP BY status;
