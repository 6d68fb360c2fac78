CREATE TABLE "order_exchanges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"new_order_id" uuid NOT NULL,
	"return_id" uuid NOT NULL,
	"returned" jsonb NOT NULL,
	"goods_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"returned_cents" integer GENERATED ALWAYS AS (goods_cents + tax_cents) STORED NOT NULL,
	"difference_cents" integer NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone,
	CONSTRAINT "order_exchanges_parts" CHECK (least("order_exchanges"."goods_cents", "order_exchanges"."tax_cents") >= 0 and "order_exchanges"."returned_cents" > 0),
	CONSTRAINT "order_exchanges_two_orders" CHECK ("order_exchanges"."order_id" <> "order_exchanges"."new_order_id"),
	CONSTRAINT "order_exchanges_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id"),
	CONSTRAINT "order_exchanges_new_order_id_orders_id_fk" FOREIGN KEY ("new_order_id") REFERENCES "public"."orders"("id"),
	CONSTRAINT "order_exchanges_return_id_order_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."order_returns"("id")
);
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_paid_has_time";
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "replaces_id" uuid;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "replacement_reason" text;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "replacement_cost_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "credit_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "exchange_id" uuid;
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "source_intent_id" text;
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "exchange_id" uuid;
--> statement-breakpoint
CREATE INDEX "order_exchanges_order" ON "order_exchanges" USING btree ("order_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "order_exchanges_new_order" ON "order_exchanges" USING btree ("new_order_id");
--> statement-breakpoint
CREATE INDEX "order_exchanges_return" ON "order_exchanges" USING btree ("return_id");
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_replaces_id_orders_id_fk" FOREIGN KEY ("replaces_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_exchange_id_order_exchanges_id_fk" FOREIGN KEY ("exchange_id") REFERENCES "public"."order_exchanges"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_exchange_id_order_exchanges_id_fk" FOREIGN KEY ("exchange_id") REFERENCES "public"."order_exchanges"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_replaces_for_nothing" CHECK ("orders"."replaces_id" is null or "orders"."total_cents" = 0 and "orders"."paid_at" is null) NOT VALID;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_replacement_reason" CHECK (("orders"."replaces_id" is null) = ("orders"."replacement_reason" is null) and "orders"."replacement_reason" in ('lost','damaged','wrong')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_credit" CHECK ("orders"."credit_cents" between 0 and "orders"."total_cents") NOT VALID;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_paid_has_time" CHECK ("orders"."status" in ('pending','cancelled') or "orders"."paid_at" is not null or "orders"."replaces_id" is not null) NOT VALID;
--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_of_exchange" CHECK (("payments"."exchange_id" is null) = ("payments"."provider" <> 'exchange') and ("payments"."exchange_id" is null) = ("payments"."source_intent_id" is null)) NOT VALID;
--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_of_exchange" CHECK ("refunds"."exchange_id" is null or "refunds"."provider_refund_id" is null) NOT VALID;
