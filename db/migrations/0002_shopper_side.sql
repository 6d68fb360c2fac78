CREATE SEQUENCE "public"."contact_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
CREATE TABLE "cart_reminders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visitor_id" uuid NOT NULL,
	"email" text NOT NULL,
	"items" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "cart_reminders_visitor_id_unique" UNIQUE("visitor_id")
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer DEFAULT nextval('contact_numbers') NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"subject" text NOT NULL,
	"message" text NOT NULL,
	"suspicion" text,
	"status" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "contact_messages_number_unique" UNIQUE("number"),
	CONSTRAINT "contact_messages_status" CHECK ("contact_messages"."status" in ('open','done')),
	CONSTRAINT "contact_messages_suspicion" CHECK ("contact_messages"."suspicion" in ('honeypot','too_fast')),
	CONSTRAINT "contact_messages_length" CHECK (char_length("contact_messages"."message") between 1 and 5000)
);
--> statement-breakpoint
CREATE TABLE "email_optouts" (
	"email_hash" "bytea" NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_optouts_email_hash_kind_pk" PRIMARY KEY("email_hash","kind"),
	CONSTRAINT "email_optouts_kind" CHECK ("email_optouts"."kind" in ('review_request','cart_reminder'))
);
--> statement-breakpoint
CREATE TABLE "order_returns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'requested' NOT NULL,
	"reason" text,
	"requested_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"answer" text,
	CONSTRAINT "order_returns_kind" CHECK ("order_returns"."kind" in ('return','withdrawal')),
	CONSTRAINT "order_returns_status" CHECK ("order_returns"."status" in ('requested','approved','declined','closed'))
);
--> statement-breakpoint
CREATE TABLE "deletion_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deletion_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text,
	"requested_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "product_ratings" (
	"product_id" integer PRIMARY KEY NOT NULL,
	"stars_1" integer DEFAULT 0 NOT NULL,
	"stars_2" integer DEFAULT 0 NOT NULL,
	"stars_3" integer DEFAULT 0 NOT NULL,
	"stars_4" integer DEFAULT 0 NOT NULL,
	"stars_5" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "product_ratings_not_negative" CHECK (least("product_ratings"."stars_1", "product_ratings"."stars_2", "product_ratings"."stars_3", "product_ratings"."stars_4", "product_ratings"."stars_5") >= 0)
);
--> statement-breakpoint
DROP INDEX "reviews_newest";--> statement-breakpoint
ALTER TABLE "order_lookups" ADD COLUMN "purpose" text DEFAULT 'orders' NOT NULL;--> statement-breakpoint
-- Orders from before were placed when one share held: the one that is set, or the one a new shop begins with.
ALTER TABLE "orders" ADD COLUMN "giving_percent" numeric(5, 2) NOT NULL DEFAULT 20;--> statement-breakpoint
UPDATE "orders" SET "giving_percent" = "settings"."value"::text::numeric FROM "settings" WHERE "settings"."key" = 'givingPercent';--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "giving_percent" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "called_off_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "visitor_id" uuid;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "hidden_reason" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "replied_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "edited_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "cart_reminders" ADD CONSTRAINT "cart_reminders_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_returns" ADD CONSTRAINT "order_returns_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_ratings" ADD CONSTRAINT "product_ratings_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cart_reminders_due" ON "cart_reminders" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "contact_messages_newest" ON "contact_messages" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "contact_messages_email" ON "contact_messages" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "order_returns_one_open" ON "order_returns" USING btree ("order_id") WHERE "order_returns"."status" in ('requested','approved');--> statement-breakpoint
CREATE INDEX "order_returns_order" ON "order_returns" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_returns_waiting" ON "order_returns" USING btree ("requested_at") WHERE "order_returns"."status" = 'requested';--> statement-breakpoint
CREATE INDEX "deletion_requests_open" ON "deletion_requests" USING btree ("email");--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_one_per_visitor" ON "reviews" USING btree ("product_id","visitor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_one_per_order" ON "reviews" USING btree ("product_id","order_id");--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("product_id","id") WHERE "reviews"."status" = 'published';--> statement-breakpoint
CREATE INDEX "reviews_shown_by_rating" ON "reviews" USING btree ("product_id","rating","id") WHERE "reviews"."status" = 'published';--> statement-breakpoint
CREATE INDEX "reviews_shown_all" ON "reviews" USING btree ("id") WHERE "reviews"."status" = 'published';--> statement-breakpoint
CREATE INDEX "reviews_shown_all_by_rating" ON "reviews" USING btree ("rating","id") WHERE "reviews"."status" = 'published';--> statement-breakpoint
CREATE INDEX "reviews_by_status" ON "reviews" USING btree ("status","id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_giving_percent" CHECK ("orders"."giving_percent" between 0 and 100);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_called_off_never_ships" CHECK ("orders"."called_off_at" is null or "orders"."shipped_at" is null);--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_verified_by_order" CHECK (not "reviews"."verified" or "reviews"."order_id" is not null);