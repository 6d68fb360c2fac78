CREATE TABLE "order_drafts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"email" text NOT NULL,
	"customer_name" text NOT NULL,
	"phone" text,
	"shipping" jsonb NOT NULL,
	"shipping_option" text,
	"items" jsonb NOT NULL,
	"discount_code" text,
	"discount_cents" integer DEFAULT 0 NOT NULL,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"order_id" uuid,
	CONSTRAINT "order_drafts_discount" CHECK ("order_drafts"."discount_cents" >= 0),
	CONSTRAINT "order_drafts_revision" CHECK ("order_drafts"."revision" > 0)
);
--> statement-breakpoint
ALTER TABLE "order_drafts" ADD CONSTRAINT "order_drafts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_drafts_newest" ON "order_drafts" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "order_drafts_changed" ON "order_drafts" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "order_drafts_email" ON "order_drafts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "order_drafts_order" ON "order_drafts" USING btree ("order_id");