-- Changes of paid orders, tags, and the hold of the owner.
CREATE TABLE "order_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"status" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"difference_cents" integer NOT NULL,
	"goods_cents" integer NOT NULL,
	"shipping_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "order_changes_status" CHECK ("order_changes"."status" in ('waiting','applied','withdrawn','expired')),
	CONSTRAINT "order_changes_ended" CHECK (("order_changes"."status" = 'waiting') = ("order_changes"."ended_at" is null)),
	CONSTRAINT "order_changes_split" CHECK ("order_changes"."goods_cents" + "order_changes"."shipping_cents" + "order_changes"."tax_cents" = "order_changes"."difference_cents"),
	CONSTRAINT "order_changes_note" CHECK (char_length("order_changes"."note") between 1 and 500)
);
--> statement-breakpoint
CREATE TABLE "order_tags" (
	"order_id" uuid NOT NULL,
	"tag" text NOT NULL,
	CONSTRAINT "order_tags_order_id_tag_pk" PRIMARY KEY("order_id","tag"),
	CONSTRAINT "order_tags_length" CHECK (char_length("order_tags"."tag") between 1 and 40)
);
--> statement-breakpoint
-- still-works: no statement of any version names the constraint; the one below takes its place.
ALTER TABLE "orders" DROP CONSTRAINT "orders_ship_hold";
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "held_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "hold_reason" text;
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "change_id" uuid;
--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "order_tags" ADD CONSTRAINT "order_tags_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "order_changes_order" ON "order_changes" USING btree ("order_id","created_at");
--> statement-breakpoint
CREATE INDEX "order_changes_ended" ON "order_changes" USING btree ("ended_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "order_changes_one_waiting" ON "order_changes" USING btree ("order_id") WHERE "order_changes"."status" = 'waiting';
--> statement-breakpoint
CREATE INDEX "order_changes_expiry" ON "order_changes" USING btree ("expires_at") WHERE "order_changes"."status" = 'waiting';
--> statement-breakpoint
CREATE INDEX "order_tags_tag" ON "order_tags" USING btree ("tag","order_id");
--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_change_id_order_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_changes"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
-- still-works: servers of the version before write none of the new columns, and the same values as before in the old one.
ALTER TABLE "orders" ADD CONSTRAINT "orders_ship_hold_why" CHECK ("orders"."ship_hold" in ('dispute','refund','owner')) NOT VALID;
--> statement-breakpoint
-- still-works: servers of the version before write none of the new columns, and the same values as before in the old one.
ALTER TABLE "orders" ADD CONSTRAINT "orders_held" CHECK ("orders"."held_at" is not null or "orders"."hold_reason" is null) NOT VALID;
--> statement-breakpoint
-- still-works: servers of the version before write none of the new columns, and the same values as before in the old one.
ALTER TABLE "orders" ADD CONSTRAINT "orders_hold_reason" CHECK (char_length("orders"."hold_reason") between 1 and 200) NOT VALID;
