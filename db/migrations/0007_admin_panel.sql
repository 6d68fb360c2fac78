CREATE TABLE "activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"session_id" uuid,
	"action" text NOT NULL,
	"subject" text,
	"summary" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"outcome" text DEFAULT 'begun' NOT NULL,
	CONSTRAINT "activity_outcome" CHECK ("activity"."outcome" in ('begun','done','refused','failed'))
);
--> statement-breakpoint
CREATE TABLE "product_view_hours" (
	"hour" timestamp with time zone NOT NULL,
	"product_id" integer NOT NULL,
	"views" integer NOT NULL,
	CONSTRAINT "product_view_hours_hour_product_id_pk" PRIMARY KEY("hour","product_id")
);
--> statement-breakpoint
CREATE TABLE "contact_replies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "contact_replies_length" CHECK (char_length("contact_replies"."text") between 1 and 10000)
);
--> statement-breakpoint
CREATE TABLE "discount_uses" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"discount_id" bigint NOT NULL,
	"customer_hash" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "discounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "discounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	"minimum_subtotal_cents" integer DEFAULT 0 NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"limit_total" integer,
	"limit_per_customer" integer,
	"active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "discounts_code_form" CHECK ("discounts"."code" ~ '^[A-Za-z0-9_-]{3,40}$'),
	CONSTRAINT "discounts_kind" CHECK ("discounts"."kind" in ('percent','amount','free_shipping')),
	CONSTRAINT "discounts_value" CHECK (case "discounts"."kind" when 'percent' then "discounts"."value" between 1 and 100 when 'amount' then "discounts"."value" between 1 and 99999999 else "discounts"."value" = 0 end),
	CONSTRAINT "discounts_minimum" CHECK ("discounts"."minimum_subtotal_cents" between 0 and 99999999),
	CONSTRAINT "discounts_dates" CHECK ("discounts"."starts_at" < "discounts"."ends_at"),
	CONSTRAINT "discounts_limits" CHECK ("discounts"."limit_total" > 0 and "discounts"."limit_per_customer" > 0)
);
--> statement-breakpoint
CREATE TABLE "batch_units" (
	"order_id" uuid NOT NULL,
	"product_id" integer NOT NULL,
	"batch_id" bigint NOT NULL,
	"quantity" integer NOT NULL,
	"returned" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "batch_units_order_id_product_id_batch_id_pk" PRIMARY KEY("order_id","product_id","batch_id"),
	CONSTRAINT "batch_units_quantity" CHECK ("batch_units"."quantity" > 0 and "batch_units"."returned" between 0 and "batch_units"."quantity")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "batches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"product_id" integer NOT NULL,
	"code" text NOT NULL,
	"best_before" date NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"received" integer NOT NULL,
	"remaining" integer NOT NULL,
	"note" text,
	CONSTRAINT "batches_received" CHECK ("batches"."received" > 0),
	CONSTRAINT "batches_remaining" CHECK ("batches"."remaining" between 0 and "batches"."received")
);
--> statement-breakpoint
CREATE TABLE "order_notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "order_notes_length" CHECK (char_length("order_notes"."text") between 1 and 2000)
);
--> statement-breakpoint
CREATE TABLE "money_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "money_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"period_from" timestamp with time zone NOT NULL,
	"period_to" timestamp with time zone NOT NULL,
	"status" text NOT NULL,
	"problem" text,
	"looked" integer DEFAULT 0 NOT NULL,
	"matched" integer DEFAULT 0 NOT NULL,
	"provider_in_cents" bigint DEFAULT 0 NOT NULL,
	"provider_refunded_cents" bigint DEFAULT 0 NOT NULL,
	"booked_in_cents" bigint DEFAULT 0 NOT NULL,
	"booked_refunded_cents" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "money_checks_status" CHECK ("money_checks"."status" in ('running','done','failed')),
	CONSTRAINT "money_checks_period" CHECK ("money_checks"."period_from" < "money_checks"."period_to")
);
--> statement-breakpoint
CREATE TABLE "money_findings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "money_findings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"check_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"intent_id" text NOT NULL,
	"order_id" uuid,
	"provider_cents" integer NOT NULL,
	"booked_cents" integer NOT NULL,
	"mended_at" timestamp with time zone,
	CONSTRAINT "money_findings_kind" CHECK ("money_findings"."kind" in ('missing_order','missing_payment','amount_differs','refund_differs'))
);
--> statement-breakpoint
CREATE TABLE "sales_hours" (
	"hour" timestamp with time zone PRIMARY KEY NOT NULL,
	"orders" integer NOT NULL,
	"goods_cents" bigint NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"checkouts" integer NOT NULL,
	"refunds" integer NOT NULL,
	"refunded_cents" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_status";--> statement-breakpoint
DROP INDEX "contact_messages_newest";--> statement-breakpoint
DROP INDEX "stock_movements_returned_once";--> statement-breakpoint
DROP INDEX "messages_newest";--> statement-breakpoint
ALTER TABLE "admin_sessions" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "admin_sessions" ADD COLUMN "last_seen_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "product_images" ADD COLUMN "width" integer;--> statement-breakpoint
ALTER TABLE "product_images" ADD COLUMN "height" integer;--> statement-breakpoint
ALTER TABLE "product_images" ADD COLUMN "status" text DEFAULT 'ready' NOT NULL;--> statement-breakpoint
ALTER TABLE "product_images" ADD COLUMN "problem" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "answered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "stock" ADD COLUMN "low_told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD COLUMN "batch_id" bigint;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "provider_id" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "delivery" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "copy_of" uuid;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "returned_quantity" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_flags" ADD COLUMN "resolution" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "settled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "product_view_hours" ADD CONSTRAINT "product_view_hours_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_replies" ADD CONSTRAINT "contact_replies_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_discount_id_discounts_id_fk" FOREIGN KEY ("discount_id") REFERENCES "public"."discounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_units" ADD CONSTRAINT "batch_units_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_units" ADD CONSTRAINT "batch_units_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "money_findings" ADD CONSTRAINT "money_findings_check_id_money_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."money_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "money_findings" ADD CONSTRAINT "money_findings_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_subject" ON "activity" USING btree ("subject","id");--> statement-breakpoint
CREATE INDEX "contact_replies_message" ON "contact_replies" USING btree ("message_id","created_at");--> statement-breakpoint
CREATE INDEX "discount_uses_customer" ON "discount_uses" USING btree ("discount_id","customer_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "discounts_code" ON "discounts" USING btree (upper("code"));--> statement-breakpoint
CREATE INDEX "batch_units_batch" ON "batch_units" USING btree ("batch_id");--> statement-breakpoint
CREATE UNIQUE INDEX "batches_code" ON "batches" USING btree ("product_id",lower("code"));--> statement-breakpoint
CREATE INDEX "batches_oldest_first" ON "batches" USING btree ("product_id","best_before","id") WHERE "batches"."remaining" > 0;--> statement-breakpoint
CREATE INDEX "order_notes_order" ON "order_notes" USING btree ("order_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "money_findings_once" ON "money_findings" USING btree ("check_id","kind","intent_id");--> statement-breakpoint
CREATE INDEX "contact_messages_open" ON "contact_messages" USING btree ("number") WHERE "contact_messages"."status" = 'open';--> statement-breakpoint
CREATE INDEX "contact_messages_unread" ON "contact_messages" USING btree ("number") WHERE "contact_messages"."read_at" is null;--> statement-breakpoint
CREATE INDEX "messages_by_status" ON "messages" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("paid_at","id") WHERE "orders"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" in ('completed','partially_refunded') and "orders"."shipped_at" is null and "orders"."called_off_at" is null;--> statement-breakpoint
CREATE INDEX "refunds_settled" ON "refunds" USING btree ("settled_at") WHERE "refunds"."settled_at" is not null;--> statement-breakpoint
CREATE INDEX "messages_newest" ON "messages" USING btree ("created_at","id");--> statement-breakpoint
ALTER TABLE "admin_sessions" ADD CONSTRAINT "admin_sessions_id_unique" UNIQUE("id");--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_status" CHECK ("product_images"."status" in ('processing','ready','failed'));--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_channel" CHECK ("messages"."channel" in ('email','sms'));--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_delivery" CHECK ("messages"."delivery" in ('accepted','delivered','undelivered'));--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_status" CHECK ("messages"."status" in ('queued','sending','sent','kept','failed','skipped'));--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_returned" CHECK ("order_lines"."returned_quantity" between 0 and "order_lines"."quantity");