CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"switched_off_at" timestamp with time zone,
	"old_secret_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"webhook_id" uuid NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"tried_since" timestamp with time zone,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "webhook_deliveries_id_unique" UNIQUE("id"),
	CONSTRAINT "webhook_deliveries_status" CHECK ("webhook_deliveries"."status" in ('waiting','delivered','failed')),
	CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("webhook_id","seq");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("webhook_id","subject","seq") WHERE "webhook_deliveries"."status" = 'waiting';
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");
--> statement-breakpoint
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_lane";
--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_lane" CHECK ("jobs"."lane" in ('money','mail','webhooks','upkeep','long')) NOT VALID;
--> statement-breakpoint
-- Writes an event for each active webhook that wants it, and queues the deliveries of its subject. Triggers call it, so that no writer
-- can forget to, and what happened is known if and only if it is committed. Without an active webhook it looks at an empty table.
CREATE FUNCTION queue_webhooks(event text, about text, facts json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH written AS (
    INSERT INTO webhook_deliveries (webhook_id, type, subject, body)
    SELECT webhooks.id, event, about, json_build_object('type', event,
      'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', facts)::text
    FROM webhooks WHERE is_active AND event = ANY (events)
    RETURNING webhook_id
  )
  -- A job that is running, and may have looked before this event, runs once more. One that waits for a retry looks and waits again.
  INSERT INTO jobs (name, lane, payload, max_attempts, key)
  SELECT DISTINCT 'deliver_webhooks', 'webhooks', jsonb_build_object('webhookId', webhook_id, 'subject', about), 25,
    'webhook:' || webhook_id || ':' || about
  FROM written
  ON CONFLICT (key) DO UPDATE SET run_at = least(jobs.run_at, now()), attempts = 0, last_error = NULL,
    leases = jobs.leases + 1, leased_until = NULL, updated_at = now();
END $$;
--> statement-breakpoint
-- An event about an order. `facts` come in addition to the order's own.
CREATE FUNCTION queue_order_webhooks(event text, of_order orders, facts jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhooks WHERE is_active) THEN RETURN; END IF;
  PERFORM queue_webhooks(event, 'order:' || of_order.id, (jsonb_build_object('id', of_order.id, 'number', of_order.number,
    'status', of_order.status, 'total', of_order.total_cents, 'currency', of_order.currency) || facts)::json);
END $$;
--> statement-breakpoint
CREATE FUNCTION webhooks_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'completed' AND OLD.status IN ('pending', 'cancelled') AND NEW.paid_at IS NOT NULL THEN
    PERFORM queue_order_webhooks('order.paid', NEW, '{}');
  END IF;
  IF OLD.shipped_at IS NULL AND NEW.shipped_at IS NOT NULL THEN
    PERFORM queue_order_webhooks('order.shipped', NEW,
      jsonb_build_object('carrier', NEW.carrier, 'trackingNumber', NEW.tracking_number));
  END IF;
  IF OLD.delivered_at IS NULL AND NEW.delivered_at IS NOT NULL THEN
    PERFORM queue_order_webhooks('order.delivered', NEW, '{}');
  END IF;
  IF OLD.cancelled_at IS NULL AND NEW.cancelled_at IS NOT NULL THEN
    PERFORM queue_order_webhooks('order.cancelled', NEW, '{}');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_webhooks AFTER UPDATE OF status, shipped_at, delivered_at, cancelled_at ON orders
  FOR EACH ROW EXECUTE FUNCTION webhooks_of_order();
--> statement-breakpoint
CREATE FUNCTION webhooks_of_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_order_webhooks('order.edited', NEW, '{}');
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Of orders that have not left: a later change is an erasure.
CREATE TRIGGER orders_contact_webhooks
  AFTER UPDATE OF email, customer_name, phone, shipping, shipping_address ON orders FOR EACH ROW
  WHEN (NEW.paid_at IS NOT NULL AND NEW.shipped_at IS NULL AND NEW.cancelled_at IS NULL
    AND (OLD.email, OLD.customer_name, OLD.phone, OLD.shipping, OLD.shipping_address)
      IS DISTINCT FROM (NEW.email, NEW.customer_name, NEW.phone, NEW.shipping, NEW.shipping_address))
  EXECUTE FUNCTION webhooks_of_contact();
--> statement-breakpoint
-- Runs at the end of the transaction, when the order has its new total and status.
CREATE FUNCTION webhooks_about_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  concerned orders;
  facts jsonb := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM webhooks WHERE is_active) THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'refunds' THEN
    facts := jsonb_build_object('refund', jsonb_build_object('id', NEW.id, 'amount', NEW.amount_cents));
  ELSIF TG_TABLE_NAME = 'order_returns' THEN
    facts := jsonb_build_object('return', jsonb_build_object('id', NEW.id, 'kind', NEW.kind));
  ELSIF TG_TABLE_NAME = 'disputes' THEN
    facts := jsonb_build_object('dispute', jsonb_build_object('id', NEW.id, 'amount', NEW.amount_cents));
  END IF;
  SELECT * INTO concerned FROM orders WHERE id = NEW.order_id;
  PERFORM queue_order_webhooks(TG_ARGV[0], concerned, facts);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER order_edits_webhooks AFTER UPDATE OF status ON order_edits
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.status <> 'applied' AND NEW.status = 'applied')
  EXECUTE FUNCTION webhooks_about_order('order.edited');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER refunds_webhooks AFTER UPDATE OF status ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status <> 'succeeded' AND NEW.status = 'succeeded' AND NEW.exchange_id IS NULL)
  EXECUTE FUNCTION webhooks_about_order('refund.succeeded');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER refunds_webhooks_of_new AFTER INSERT ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'succeeded' AND NEW.exchange_id IS NULL)
  EXECUTE FUNCTION webhooks_about_order('refund.succeeded');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER order_returns_webhooks AFTER INSERT ON order_returns
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'requested')
  EXECUTE FUNCTION webhooks_about_order('return.requested');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER disputes_webhooks AFTER INSERT ON disputes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION webhooks_about_order('dispute.opened');
--> statement-breakpoint
CREATE FUNCTION webhooks_of_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhooks('product.updated', 'product:' || NEW.id, json_build_object('id', NEW.id, 'slug', NEW.slug,
    'name', NEW.name, 'price', NEW.price_cents, 'currency', NEW.currency, 'published', NEW.published));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_webhooks AFTER UPDATE ON products FOR EACH ROW
  WHEN ((OLD.slug, OLD.name, OLD.short_description, OLD.description, OLD.price_cents, OLD.size, OLD.published, OLD.is_bestseller,
      OLD.is_new, OLD.benefits, OLD.usage, OLD.compare_at_price)
    IS DISTINCT FROM (NEW.slug, NEW.name, NEW.short_description, NEW.description, NEW.price_cents, NEW.size, NEW.published,
      NEW.is_bestseller, NEW.is_new, NEW.benefits, NEW.usage, NEW.compare_at_price))
  EXECUTE FUNCTION webhooks_of_product();
--> statement-breakpoint
CREATE FUNCTION webhooks_of_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhooks('stock.low', 'product:' || NEW.product_id,
    json_build_object('productId', NEW.product_id, 'free', NEW.on_hand - NEW.reserved));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER stock_webhooks AFTER UPDATE OF low_stock_notified_at ON stock FOR EACH ROW
  WHEN (OLD.low_stock_notified_at IS NULL AND NEW.low_stock_notified_at IS NOT NULL)
  EXECUTE FUNCTION webhooks_of_stock();
--> statement-breakpoint
CREATE FUNCTION webhooks_of_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhooks('review.published', 'review:' || NEW.id,
    json_build_object('id', NEW.id, 'productId', NEW.product_id, 'rating', NEW.rating));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER reviews_webhooks_of_new AFTER INSERT ON reviews FOR EACH ROW WHEN (NEW.status = 'published')
  EXECUTE FUNCTION webhooks_of_review();
--> statement-breakpoint
CREATE TRIGGER reviews_webhooks AFTER UPDATE OF status ON reviews FOR EACH ROW
  WHEN (OLD.status <> 'published' AND NEW.status = 'published') EXECUTE FUNCTION webhooks_of_review();
--> statement-breakpoint
CREATE FUNCTION webhooks_of_subscriber() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhooks('subscriber.confirmed', 'subscriber:' || NEW.id,
    json_build_object('id', NEW.id, 'confirmedAt', to_char(NEW.confirmed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER subscribers_webhooks AFTER UPDATE OF confirmed_at ON subscribers FOR EACH ROW
  WHEN (OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION webhooks_of_subscriber();
