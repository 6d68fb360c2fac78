-- All tables of the shop as `server/*/tables.ts` describe them. Written by hand are: what stands below the line at the end, UNLOGGED
-- (a crash may empty `rate_limits`), and DEFERRABLE (pictures and sizes change places within one transaction).
CREATE SEQUENCE "public"."contact_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."order_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
CREATE TABLE "activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"session_id" uuid,
	"person_id" uuid,
	"action" text NOT NULL,
	"subject" text,
	"summary" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"outcome" text DEFAULT 'begun' NOT NULL,
	CONSTRAINT "activity_outcome" CHECK ("activity"."outcome" in ('begun','done','refused','failed'))
);
--> statement-breakpoint
CREATE TABLE "admin_access" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"code_hash" text NOT NULL,
	"is_generated" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "admin_access_single" CHECK ("admin_access"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "admin_sessions" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"person_id" uuid,
	"user_agent" text,
	"last_address" text,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"given_cents" bigint DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "admin_sessions_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "failed_code_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "failed_code_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"caller" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"taken_at" timestamp with time zone,
	"server" text,
	"path" text,
	"bytes" bigint,
	"row_count" bigint,
	"order_count" integer,
	"seconds" real,
	"is_encrypted" boolean DEFAULT false NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"tested_at" timestamp with time zone,
	"is_test_good" boolean,
	"test_lines" text[] DEFAULT '{}' NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "backups_kind" CHECK ("backups"."kind" in ('nightly','manual','before_migration','by_hand')),
	CONSTRAINT "backups_status" CHECK ("backups"."status" in ('queued','saving','testing','done','failed')),
	CONSTRAINT "backups_progress" CHECK ("backups"."progress" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "balance_cursors" (
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"account" text NOT NULL,
	"read_until" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "balance_cursors_provider_mode_account_pk" PRIMARY KEY("provider","mode","account"),
	CONSTRAINT "balance_cursors_mode" CHECK ("balance_cursors"."mode" in ('live','test','sandbox'))
);
--> statement-breakpoint
CREATE TABLE "balance_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"intent_id" text,
	"source_id" text,
	"description" text,
	"created_at" timestamp with time zone NOT NULL,
	"arrives_on" date,
	CONSTRAINT "balance_entries_mode" CHECK ("balance_entries"."mode" in ('live','test','sandbox')),
	CONSTRAINT "balance_entries_kind" CHECK ("balance_entries"."kind" in ('charge','refund','dispute','fee','payout','other'))
);
--> statement-breakpoint
CREATE TABLE "invoice_numbers" (
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "invoice_numbers_mode_kind_year_pk" PRIMARY KEY("mode","kind","year"),
	CONSTRAINT "invoice_numbers_mode" CHECK ("invoice_numbers"."mode" in ('live','test','sandbox')),
	CONSTRAINT "invoice_numbers_kind" CHECK ("invoice_numbers"."kind" in ('invoice','credit_note')),
	CONSTRAINT "invoice_numbers_last" CHECK ("invoice_numbers"."last" > 0)
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"order_id" uuid NOT NULL,
	"refund_id" uuid,
	"order_edit_id" uuid,
	"issued_at" timestamp with time zone NOT NULL,
	"total_cents" integer NOT NULL,
	"snapshot" jsonb NOT NULL,
	"voided_at" timestamp with time zone,
	"void_reason" text,
	CONSTRAINT "invoices_mode" CHECK ("invoices"."mode" in ('live','test','sandbox')),
	CONSTRAINT "invoices_kind" CHECK ("invoices"."kind" in ('invoice','credit_note')),
	CONSTRAINT "invoices_refund" CHECK (case "invoices"."kind" when 'credit_note' then ("invoices"."refund_id" is null) <> ("invoices"."order_edit_id" is null) else "invoices"."refund_id" is null end),
	CONSTRAINT "invoices_void" CHECK (("invoices"."voided_at" is null) = ("invoices"."void_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "cart_items" (
	"visitor_id" uuid NOT NULL,
	"product_id" integer NOT NULL,
	"quantity" integer NOT NULL,
	"buy_now_units" integer DEFAULT 0 NOT NULL,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cart_items_visitor_id_product_id_pk" PRIMARY KEY("visitor_id","product_id"),
	CONSTRAINT "cart_items_quantity" CHECK ("cart_items"."quantity" between 1 and 99)
);
--> statement-breakpoint
CREATE TABLE "picture_originals" (
	"file" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"sha256" "bytea" NOT NULL,
	"size" integer NOT NULL,
	"type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone,
	CONSTRAINT "picture_originals_file" CHECK ("picture_originals"."file" ~ '^u-[0-9a-f]{16}\.jpg$'),
	CONSTRAINT "picture_originals_size" CHECK ("picture_originals"."size" = octet_length("picture_originals"."bytes") and "picture_originals"."size" between 1 and 10485760),
	CONSTRAINT "picture_originals_sha256" CHECK ("picture_originals"."sha256" = sha256("picture_originals"."bytes")),
	CONSTRAINT "picture_originals_type" CHECK ("picture_originals"."type" in ('image/jpeg','image/png','image/webp','image/avif')),
	CONSTRAINT "picture_originals_sides" CHECK ("picture_originals"."width" between 480 and 8000 and "picture_originals"."height" between 1 and 8000)
);
--> statement-breakpoint
CREATE TABLE "product_bundles" (
	"product_id" integer NOT NULL,
	"quantity" integer NOT NULL,
	"price_cents" integer NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_bundles_product_id_quantity_pk" PRIMARY KEY("product_id","quantity"),
	CONSTRAINT "product_bundles_quantity" CHECK ("product_bundles"."quantity" between 2 and 12),
	CONSTRAINT "product_bundles_price" CHECK ("product_bundles"."price_cents" between 1 and 99999999)
);
--> statement-breakpoint
CREATE TABLE "product_families" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "product_families_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	CONSTRAINT "product_families_name_length" CHECK (char_length("product_families"."name") between 1 and 117)
);
--> statement-breakpoint
CREATE TABLE "product_images" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "product_images_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"product_id" integer NOT NULL,
	"position" integer NOT NULL,
	"file" text NOT NULL,
	"alt" text NOT NULL,
	"width" integer,
	"height" integer,
	"status" text DEFAULT 'ready' NOT NULL,
	"problem" text,
	CONSTRAINT "product_images_position" UNIQUE("product_id","position") DEFERRABLE INITIALLY DEFERRED,
	CONSTRAINT "product_images_status" CHECK ("product_images"."status" in ('processing','ready','failed')),
	CONSTRAINT "product_images_alt_length" CHECK (char_length("product_images"."alt") between 1 and 300),
	CONSTRAINT "product_images_upload" CHECK ("product_images"."file" !~ '^u-' or ("product_images"."file" ~ '^u-[0-9a-f]{16}\.jpg$' and coalesce("product_images"."width", 0) between 480 and 8000 and coalesce("product_images"."height", 0) between 1 and 8000))
);
--> statement-breakpoint
CREATE TABLE "product_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"replaced_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_view_hours" (
	"hour" timestamp with time zone NOT NULL,
	"product_id" integer NOT NULL,
	"views" integer NOT NULL,
	CONSTRAINT "product_view_hours_hour_product_id_pk" PRIMARY KEY("hour","product_id")
);
--> statement-breakpoint
CREATE TABLE "product_views" (
	"product_id" integer NOT NULL,
	"viewer_key" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	CONSTRAINT "product_views_product_id_viewer_key_hour_pk" PRIMARY KEY("product_id","viewer_key","hour")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "products_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"short_description" text NOT NULL,
	"description" text NOT NULL,
	"price_cents" integer NOT NULL,
	"currency" text DEFAULT 'USD' NOT NULL,
	"size" text NOT NULL,
	"family_id" integer,
	"family_position" integer,
	"gtin" text,
	"mpn" text,
	"sku" text,
	"weight_grams" integer,
	"cost" integer,
	"compare_at_price" integer,
	"archived_at" timestamp with time zone,
	"scent" text,
	"lasts" text,
	"video_url" text,
	"benefits" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"usage" text DEFAULT '' NOT NULL,
	"is_bestseller" boolean DEFAULT false NOT NULL,
	"is_new" boolean DEFAULT false NOT NULL,
	"published" boolean DEFAULT false NOT NULL,
	"view_count" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_slug_unique" UNIQUE("slug"),
	CONSTRAINT "products_family_position" UNIQUE("family_id","family_position") DEFERRABLE INITIALLY DEFERRED,
	CONSTRAINT "products_price_range" CHECK ("products"."price_cents" between 0 and 99999999),
	CONSTRAINT "products_slug_form" CHECK ("products"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
	CONSTRAINT "products_slug_length" CHECK (char_length("products"."slug") <= 80),
	CONSTRAINT "products_name_length" CHECK (char_length("products"."name") between 1 and 120),
	CONSTRAINT "products_texts_length" CHECK (char_length("products"."short_description") <= 300 and char_length("products"."description") <= 5000 and char_length("products"."size") <= 60 and char_length("products"."usage") <= 5000),
	CONSTRAINT "products_scent_length" CHECK (char_length("products"."scent") between 1 and 160),
	CONSTRAINT "products_lasts_length" CHECK (char_length("products"."lasts") between 1 and 160),
	CONSTRAINT "products_video" CHECK ("products"."video_url" ~ '^https://' and char_length("products"."video_url") <= 500),
	CONSTRAINT "products_gtin_form" CHECK ("products"."gtin" ~ '^([0-9]{8}|[0-9]{12,14})$'),
	CONSTRAINT "products_family" CHECK (("products"."family_id" is null) = ("products"."family_position" is null)),
	CONSTRAINT "products_family_size" CHECK ("products"."family_id" is null or "products"."size" <> ''),
	CONSTRAINT "products_sku_length" CHECK (char_length("products"."sku") between 1 and 64),
	CONSTRAINT "products_weight" CHECK ("products"."weight_grams" between 1 and 100000),
	CONSTRAINT "products_cost" CHECK ("products"."cost" between 0 and 99999999),
	CONSTRAINT "products_compare_at" CHECK ("products"."compare_at_price" between 1 and 99999999),
	CONSTRAINT "products_archived" CHECK ("products"."archived_at" is null or not "products"."published"),
	CONSTRAINT "products_mpn_length" CHECK (char_length("products"."mpn") between 1 and 70),
	CONSTRAINT "products_benefits" CHECK (jsonb_typeof("products"."benefits") = 'array' and jsonb_array_length("products"."benefits") <= 12)
);
--> statement-breakpoint
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
CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" "bytea",
	"key_id" text,
	"facts" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" uuid,
	"tried_at" timestamp with time zone,
	"try_failure" text,
	CONSTRAINT "secrets_sealed" CHECK (("secrets"."sealed" is null) = ("secrets"."key_id" is null))
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
	"answered_at" timestamp with time zone,
	CONSTRAINT "contact_messages_number_unique" UNIQUE("number"),
	CONSTRAINT "contact_messages_status" CHECK ("contact_messages"."status" in ('open','done')),
	CONSTRAINT "contact_messages_suspicion" CHECK ("contact_messages"."suspicion" in ('honeypot','too_fast')),
	CONSTRAINT "contact_messages_length" CHECK (char_length("contact_messages"."message") between 1 and 5000)
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
CREATE TABLE "saved_replies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_replies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"text" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "saved_replies_title_length" CHECK (char_length("saved_replies"."title") between 1 and 80),
	CONSTRAINT "saved_replies_text_length" CHECK (char_length("saved_replies"."text") between 1 and 5000)
);
--> statement-breakpoint
CREATE TABLE "content_versions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "content_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"text" jsonb,
	"default_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"person_id" uuid,
	"published_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "customer_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customer_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customer_emails" (
	"email" text PRIMARY KEY NOT NULL,
	"customer_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customer_merges" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customer_merges_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"merged_id" integer NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"emails" text[] NOT NULL,
	"tags" text[] NOT NULL,
	"added_tags" text[] NOT NULL,
	"note_ids" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customer_notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customer_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "customer_notes_length" CHECK (char_length("customer_notes"."text") between 1 and 2000)
);
--> statement-breakpoint
CREATE TABLE "customer_refresh" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"is_live" boolean NOT NULL,
	CONSTRAINT "customer_refresh_one" CHECK ("customer_refresh"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "customers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"phone" text,
	"city" text,
	"country" text,
	"search" text DEFAULT '' NOT NULL,
	"orders" integer DEFAULT 0 NOT NULL,
	"value_cents" bigint DEFAULT 0 NOT NULL,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"first_order_at" timestamp with time zone,
	"last_order_at" timestamp with time zone DEFAULT 'epoch' NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "customers_email_unique" UNIQUE("email")
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
	"used" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "discounts_code_form" CHECK ("discounts"."code" ~ '^[A-Za-z0-9_-]{3,40}$'),
	CONSTRAINT "discounts_kind" CHECK ("discounts"."kind" in ('percent','amount','free_shipping')),
	CONSTRAINT "discounts_value" CHECK (case "discounts"."kind" when 'percent' then "discounts"."value" between 1 and 100 when 'amount' then "discounts"."value" between 1 and 99999999 else "discounts"."value" = 0 end),
	CONSTRAINT "discounts_minimum" CHECK ("discounts"."minimum_subtotal_cents" between 0 and 99999999),
	CONSTRAINT "discounts_dates" CHECK ("discounts"."starts_at" < "discounts"."ends_at"),
	CONSTRAINT "discounts_limits" CHECK ("discounts"."limit_total" > 0 and "discounts"."limit_per_customer" > 0),
	CONSTRAINT "discounts_used" CHECK ("discounts"."used" >= 0)
);
--> statement-breakpoint
CREATE TABLE "dispute_evidence" (
	"dispute_id" text PRIMARY KEY NOT NULL,
	"texts" jsonb NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"failure" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"answered_before" integer,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "dispute_evidence_status" CHECK ("dispute_evidence"."status" in ('draft','sending','sent')),
	CONSTRAINT "dispute_evidence_sent" CHECK (("dispute_evidence"."status" = 'sent') = ("dispute_evidence"."sent_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "dispute_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"dispute_id" text NOT NULL,
	"slot" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"size" integer NOT NULL,
	"origin" text NOT NULL,
	"provider_file_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "dispute_files_origin" CHECK ("dispute_files"."origin" in ('shop','upload')),
	CONSTRAINT "dispute_files_type" CHECK ("dispute_files"."type" in ('application/pdf','image/jpeg','image/png'))
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"intent_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"withdrawn_cents" integer DEFAULT 0 NOT NULL,
	"fee_cents" integer DEFAULT 0 NOT NULL,
	"charged_back_cents" integer GENERATED ALWAYS AS (case when status in ('lost','closed') then withdrawn_cents else 0 end) STORED NOT NULL,
	"held_cents" integer GENERATED ALWAYS AS (case when status in ('lost','closed') then 0 else withdrawn_cents end) STORED NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"is_inquiry" boolean NOT NULL,
	"evidence_due_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"reinstated_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"changed_at" timestamp with time zone NOT NULL,
	"revision" integer NOT NULL,
	CONSTRAINT "disputes_status" CHECK ("disputes"."status" in ('needs_response','under_review','won','lost','closed')),
	CONSTRAINT "disputes_amounts" CHECK ("disputes"."amount_cents" >= 0 and "disputes"."withdrawn_cents" >= 0 and "disputes"."fee_cents" >= 0),
	CONSTRAINT "disputes_closed" CHECK (("disputes"."closed_at" is not null) = ("disputes"."status" in ('won','lost','closed')))
);
--> statement-breakpoint
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
CREATE TABLE "go_live_statements" (
	"about" text PRIMARY KEY NOT NULL,
	"stated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "go_live_statements_about" CHECK ("go_live_statements"."about" in ('policies_read','offsite_backup'))
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" bigint NOT NULL
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
CREATE TABLE "stock" (
	"product_id" integer PRIMARY KEY NOT NULL,
	"on_hand" integer NOT NULL,
	"reserved" integer DEFAULT 0 NOT NULL,
	"batched" integer DEFAULT 0 NOT NULL,
	"low_stock_notified_at" timestamp with time zone,
	CONSTRAINT "stock_on_hand_not_negative" CHECK ("stock"."on_hand" >= 0),
	CONSTRAINT "stock_reserved_within_on_hand" CHECK ("stock"."reserved" between 0 and "stock"."on_hand")
);
--> statement-breakpoint
CREATE TABLE "stock_movements" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stock_movements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"product_id" integer NOT NULL,
	"order_id" uuid,
	"kind" text NOT NULL,
	"quantity" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"reason" text,
	"batch_id" bigint,
	"note" text,
	"change_id" uuid,
	CONSTRAINT "stock_movements_kind" CHECK ("stock_movements"."kind" in ('reserved','released','sold','returned','adjusted'))
);
--> statement-breakpoint
CREATE TABLE "discrepancies" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "discrepancies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"check_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"intent_id" text NOT NULL,
	"order_id" uuid,
	"provider_cents" integer NOT NULL,
	"booked_cents" integer NOT NULL,
	"repaired_at" timestamp with time zone,
	"by_itself" boolean DEFAULT false NOT NULL,
	"outcome" text,
	CONSTRAINT "discrepancies_kind" CHECK ("discrepancies"."kind" in ('missing_order','missing_payment','amount_differs','refund_differs','dispute_differs'))
);
--> statement-breakpoint
CREATE TABLE "money_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "money_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"period_from" timestamp with time zone NOT NULL,
	"period_to" timestamp with time zone NOT NULL,
	"requested_by" text DEFAULT 'owner' NOT NULL,
	"status" text NOT NULL,
	"problem" text,
	"looked" integer DEFAULT 0 NOT NULL,
	"matched" integer DEFAULT 0 NOT NULL,
	"apart" integer DEFAULT 0 NOT NULL,
	"apart_cents" bigint DEFAULT 0 NOT NULL,
	"provider_in_cents" bigint DEFAULT 0 NOT NULL,
	"provider_refunded_cents" bigint DEFAULT 0 NOT NULL,
	"booked_in_cents" bigint DEFAULT 0 NOT NULL,
	"booked_refunded_cents" bigint DEFAULT 0 NOT NULL,
	"provider_charged_back_cents" bigint DEFAULT 0 NOT NULL,
	"booked_charged_back_cents" bigint DEFAULT 0 NOT NULL,
	"provider_fee_cents" bigint DEFAULT 0 NOT NULL,
	"booked_fee_cents" bigint DEFAULT 0 NOT NULL,
	"held_cents" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "money_checks_requested_by" CHECK ("money_checks"."requested_by" in ('night','owner')),
	CONSTRAINT "money_checks_status" CHECK ("money_checks"."status" in ('running','done','failed')),
	CONSTRAINT "money_checks_period" CHECK ("money_checks"."period_from" < "money_checks"."period_to")
);
--> statement-breakpoint
CREATE TABLE "subscribers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscribers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"email_hash" "bytea" NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"place" text NOT NULL,
	"consent_text" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"confirmed_network" text,
	"welcome_code" text,
	CONSTRAINT "subscribers_place" CHECK ("subscribers"."place" in ('footer','success'))
);
--> statement-breakpoint
CREATE TABLE "order_edits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"status" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"added" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"removed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"goods_cents" integer NOT NULL,
	"shipping_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"added_cents" integer GENERATED ALWAYS AS (goods_cents + shipping_cents + tax_cents) STORED NOT NULL,
	"removed_cents" integer DEFAULT 0 NOT NULL,
	"difference_cents" integer NOT NULL,
	"exchanged_goods_cents" integer DEFAULT 0 NOT NULL,
	"exchanged_shipping_cents" integer DEFAULT 0 NOT NULL,
	"exchanged_tax_cents" integer DEFAULT 0 NOT NULL,
	"exchanged_cents" integer GENERATED ALWAYS AS (exchanged_goods_cents + exchanged_shipping_cents + exchanged_tax_cents) STORED NOT NULL,
	"exchange_id" uuid,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "order_edits_status" CHECK ("order_edits"."status" in ('waiting','applied','withdrawn','expired')),
	CONSTRAINT "order_edits_ended" CHECK (("order_edits"."status" = 'waiting') = ("order_edits"."ended_at" is null)),
	CONSTRAINT "order_edits_sums" CHECK ("order_edits"."added_cents" - "order_edits"."removed_cents" = "order_edits"."difference_cents"),
	CONSTRAINT "order_edits_exchanged" CHECK ("order_edits"."exchanged_cents" = case when "order_edits"."status" = 'applied' then least("order_edits"."added_cents", "order_edits"."removed_cents") else 0 end),
	CONSTRAINT "order_edits_exchange" CHECK (("order_edits"."exchange_id" is null) = ("order_edits"."exchanged_cents" = 0)),
	CONSTRAINT "order_edits_parts" CHECK (least("order_edits"."exchanged_goods_cents", "order_edits"."exchanged_shipping_cents", "order_edits"."exchanged_tax_cents") >= 0),
	CONSTRAINT "order_edits_note" CHECK (char_length("order_edits"."note") between 1 and 500)
);
--> statement-breakpoint
CREATE TABLE "order_filters" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_filters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"list" text DEFAULT 'orders' NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	CONSTRAINT "order_filters_list" CHECK ("order_filters"."list" in ('orders','customers')),
	CONSTRAINT "order_filters_name_length" CHECK (char_length("order_filters"."name") between 1 and 40),
	CONSTRAINT "order_filters_query_length" CHECK (char_length("order_filters"."query") between 1 and 500)
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
CREATE TABLE "order_tags" (
	"order_id" uuid NOT NULL,
	"tag" text NOT NULL,
	CONSTRAINT "order_tags_order_id_tag_pk" PRIMARY KEY("order_id","tag"),
	CONSTRAINT "order_tags_length" CHECK (char_length("order_tags"."tag") between 1 and 40)
);
--> statement-breakpoint
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
CREATE TABLE "order_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"actor" text NOT NULL,
	"person_id" uuid,
	"note" text,
	"request_id" uuid,
	CONSTRAINT "order_events_to_status" CHECK ("order_events"."to_status" in ('pending','completed','shipped','delivered','cancelled','partially_refunded','refunded')),
	CONSTRAINT "order_events_actor" CHECK ("order_events"."actor" in ('shopper','provider','owner','system'))
);
--> statement-breakpoint
CREATE TABLE "order_lines" (
	"order_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"product_id" integer NOT NULL,
	"name" text NOT NULL,
	"image" text,
	"quantity" integer NOT NULL,
	"unit_price_cents" integer NOT NULL,
	"bundle_saving_cents" integer DEFAULT 0 NOT NULL,
	"bundles" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"discount_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"returned_quantity" integer DEFAULT 0 NOT NULL,
	"shipped_quantity" integer DEFAULT 0 NOT NULL,
	"kept_quantity" integer DEFAULT 0 NOT NULL,
	"unreserved_quantity" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "order_lines_order_id_position_pk" PRIMARY KEY("order_id","position"),
	CONSTRAINT "order_lines_quantity" CHECK ("order_lines"."quantity" between 1 and 99),
	CONSTRAINT "order_lines_unreserved" CHECK ("order_lines"."unreserved_quantity" between 0 and "order_lines"."quantity"),
	CONSTRAINT "order_lines_returned" CHECK ("order_lines"."returned_quantity" between 0 and "order_lines"."quantity"),
	CONSTRAINT "order_lines_shipped" CHECK (least("order_lines"."shipped_quantity", "order_lines"."kept_quantity") >= 0 and "order_lines"."shipped_quantity" + "order_lines"."kept_quantity" <= "order_lines"."quantity"),
	CONSTRAINT "order_lines_bundle_saving" CHECK ("order_lines"."bundle_saving_cents" between 0 and "order_lines"."unit_price_cents"::bigint * "order_lines"."quantity"),
	CONSTRAINT "order_lines_amounts" CHECK (least("order_lines"."unit_price_cents", "order_lines"."discount_cents", "order_lines"."tax_cents") >= 0)
);
--> statement-breakpoint
CREATE TABLE "order_lookups" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text DEFAULT 'orders' NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "order_visitors" (
	"visitor_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	CONSTRAINT "order_visitors_visitor_id_order_id_pk" PRIMARY KEY("visitor_id","order_id")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer DEFAULT nextval('order_numbers') NOT NULL,
	"visitor_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"mode" text,
	"currency" text NOT NULL,
	"email" text NOT NULL,
	"customer_name" text NOT NULL,
	"phone" text,
	"shipping_address" text NOT NULL,
	"shipping" jsonb,
	"shipping_option_id" text NOT NULL,
	"shipping_option_name" text NOT NULL,
	"arrives_from" date,
	"arrives_until" date,
	"by_wallet" boolean DEFAULT false NOT NULL,
	"gift" jsonb,
	"discount_code" text,
	"subtotal_cents" integer NOT NULL,
	"discount_cents" integer NOT NULL,
	"shipping_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"total_cents" integer NOT NULL,
	"added_goods_cents" integer DEFAULT 0 NOT NULL,
	"added_shipping_cents" integer DEFAULT 0 NOT NULL,
	"added_tax_cents" integer DEFAULT 0 NOT NULL,
	"exchanged_cents" integer DEFAULT 0 NOT NULL,
	"payable_cents" integer GENERATED ALWAYS AS (total_cents - exchanged_cents) STORED NOT NULL,
	"with_tax" jsonb,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"credited_cents" integer GENERATED ALWAYS AS (refunded_cents + exchanged_cents) STORED NOT NULL,
	"charged_back_cents" integer DEFAULT 0 NOT NULL,
	"idempotency_key" "bytea",
	"request_hash" "bytea" NOT NULL,
	"reusable" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"buyer_network" text,
	"expires_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	"carrier" text,
	"tracking_number" text,
	"shipped_at" timestamp with time zone,
	"partly_shipped_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"giving_percent" numeric(5, 2) NOT NULL,
	"cancelled_at" timestamp with time zone,
	"ship_hold" text,
	"taxed_for" jsonb,
	"held_at" timestamp with time zone,
	"hold_reason" text,
	"all_back_at" timestamp with time zone,
	"erased_at" timestamp with time zone,
	CONSTRAINT "orders_number_unique" UNIQUE("number"),
	CONSTRAINT "orders_giving_percent" CHECK ("orders"."giving_percent" between 0 and 100),
	CONSTRAINT "orders_cancelled_never_ships" CHECK ("orders"."cancelled_at" is null or "orders"."shipped_at" is null),
	CONSTRAINT "orders_cancelled_never_ships_in_part" CHECK ("orders"."cancelled_at" is null or "orders"."partly_shipped_at" is null),
	CONSTRAINT "orders_status" CHECK ("orders"."status" in ('pending','completed','shipped','delivered','cancelled','partially_refunded','refunded')),
	CONSTRAINT "orders_mode" CHECK ("orders"."mode" in ('live','test','sandbox')),
	CONSTRAINT "orders_total_adds_up" CHECK ("orders"."total_cents" = "orders"."subtotal_cents" - "orders"."discount_cents" + "orders"."shipping_cents" + "orders"."tax_cents"),
	CONSTRAINT "orders_with_tax" CHECK ("orders"."with_tax" is null or coalesce(("orders"."with_tax"->>'subtotal')::int - ("orders"."with_tax"->>'discount')::int + ("orders"."with_tax"->>'shipping')::int = "orders"."total_cents" and char_length("orders"."with_tax"->>'name') between 1 and 40, false)),
	CONSTRAINT "orders_amounts_not_negative" CHECK (least("orders"."subtotal_cents", "orders"."discount_cents", "orders"."shipping_cents", "orders"."tax_cents", "orders"."total_cents") >= 0 and "orders"."discount_cents" <= "orders"."subtotal_cents"),
	CONSTRAINT "orders_added" CHECK (least("orders"."added_goods_cents", "orders"."added_shipping_cents", "orders"."added_tax_cents", "orders"."exchanged_cents") >= 0),
	CONSTRAINT "orders_charged_back" CHECK ("orders"."charged_back_cents" >= 0),
	CONSTRAINT "orders_gift" CHECK (jsonb_typeof("orders"."gift") = 'object' and "orders"."gift" - 'from' - 'note' = '{}' and char_length("orders"."gift"->>'from') between 1 and 100 and "orders"."gift"->>'from' !~ '[\u0001-\u001f\u007f-\u009f]' and char_length("orders"."gift"->>'note') between 1 and 300 and "orders"."gift"->>'note' !~ '[\u0001-\u0009\u000b-\u001f\u007f-\u009f]'),
	CONSTRAINT "orders_ship_hold_reason" CHECK ("orders"."ship_hold" in ('dispute','refund','fraud','review','owner','change')),
	CONSTRAINT "orders_arrival" CHECK (("orders"."arrives_from" is null) = ("orders"."arrives_until" is null) and "orders"."arrives_from" <= "orders"."arrives_until"),
	CONSTRAINT "orders_held" CHECK ("orders"."held_at" is not null or "orders"."hold_reason" is null),
	CONSTRAINT "orders_hold_reason" CHECK (char_length("orders"."hold_reason") between 1 and 200),
	CONSTRAINT "orders_refunded_within_payable" CHECK ("orders"."refunded_cents" between 0 and "orders"."payable_cents"),
	CONSTRAINT "orders_paid_has_time" CHECK ("orders"."status" in ('pending','cancelled') or "orders"."paid_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "email_optouts" (
	"email_hash" "bytea" NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_optouts_email_hash_kind_pk" PRIMARY KEY("email_hash","kind"),
	CONSTRAINT "email_optouts_kind" CHECK ("email_optouts"."kind" in ('review_request','cart_reminder','stock_alert','newsletter','refill_reminder'))
);
--> statement-breakpoint
CREATE TABLE "mail_outage" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"outage_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"last_failed_at" timestamp with time zone NOT NULL,
	"cause" text NOT NULL,
	"only_recipient_hash" "bytea",
	"is_answered" boolean NOT NULL,
	"notified_at" timestamp with time zone,
	CONSTRAINT "mail_outage_single" CHECK ("mail_outage"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"dedupe_key" text NOT NULL,
	"recipient" text,
	"order_id" uuid,
	"data" jsonb,
	"subject" text,
	"html" text,
	"text" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"claimed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"provider_id" text,
	"delivery" text,
	"copy_of" uuid,
	CONSTRAINT "messages_status" CHECK ("messages"."status" in ('queued','sending','sent','kept','failed','skipped')),
	CONSTRAINT "messages_channel" CHECK ("messages"."channel" in ('email','sms')),
	CONSTRAINT "messages_delivery" CHECK ("messages"."delivery" in ('accepted','delivered','undelivered'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"object" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_intents" (
	"id" text PRIMARY KEY NOT NULL,
	"client_secret" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"order_id" text NOT NULL,
	"order_number" integer NOT NULL,
	"status" text DEFAULT 'requires_payment_method' NOT NULL,
	"amount" integer NOT NULL,
	"amount_received" integer DEFAULT 0 NOT NULL,
	"amount_refunded" integer DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"failed_attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"session_id" text,
	"success_url" text,
	"cancel_url" text,
	"expires_at" timestamp with time zone,
	CONSTRAINT "sandbox_intents_received" CHECK ("sandbox_intents"."amount_received" in (0, "sandbox_intents"."amount")),
	CONSTRAINT "sandbox_intents_refunded" CHECK ("sandbox_intents"."amount_refunded" between 0 and "sandbox_intents"."amount_received")
);
--> statement-breakpoint
CREATE TABLE "sandbox_refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"refund_id" text NOT NULL,
	"amount" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_refunds_amount" CHECK ("sandbox_refunds"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "event_cursors" (
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"account" text NOT NULL,
	"read_until" timestamp with time zone,
	"pass_after" text,
	"pass_newest" timestamp with time zone,
	"passed_at" timestamp with time zone,
	"watched_since" timestamp with time zone,
	"objects_listed_at" timestamp with time zone,
	"payments_listed_to" timestamp with time zone,
	CONSTRAINT "event_cursors_provider_mode_account_pk" PRIMARY KEY("provider","mode","account"),
	CONSTRAINT "event_cursors_mode" CHECK ("event_cursors"."mode" in ('live','test','sandbox')),
	CONSTRAINT "event_cursors_pass" CHECK (("event_cursors"."pass_after" is null) = ("event_cursors"."pass_newest" is null))
);
--> statement-breakpoint
CREATE TABLE "issues" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "issues_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"order_id" uuid,
	"message" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone,
	"resolution" text
);
--> statement-breakpoint
CREATE TABLE "payment_declines" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"network" text,
	"declined_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"intent_id" text,
	"object_id" text NOT NULL,
	"charge_id" text,
	"order_id" text,
	"livemode" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp with time zone DEFAULT now(),
	"handled_at" timestamp with time zone,
	"outcome" text
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"account" text,
	"mode" text,
	"order_edit_id" uuid,
	"revision" integer NOT NULL,
	"intent_id" text,
	"session_id" text,
	"status" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"paid_with" text,
	"hosted" boolean DEFAULT false NOT NULL,
	"opening_until" timestamp with time zone,
	"opening_attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"end_actor" text,
	"end_note" text,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_end_actor" CHECK ("payments"."end_actor" in ('shopper','owner','system')),
	CONSTRAINT "payments_end_whole" CHECK (("payments"."end_actor" is null) = ("payments"."end_note" is null)),
	CONSTRAINT "payments_mode" CHECK ("payments"."mode" in ('live','test','sandbox')),
	CONSTRAINT "payments_status" CHECK ("payments"."status" in ('opening','requires_payment','processing','succeeded','canceled')),
	CONSTRAINT "payments_failure" CHECK ("payments"."failure" in ('unavailable','refused')),
	CONSTRAINT "payments_opening" CHECK ("payments"."status" <> 'opening' or "payments"."opening_until" is not null),
	CONSTRAINT "payments_has_object" CHECK ("payments"."intent_id" is not null or "payments"."session_id" is not null or "payments"."status" in ('opening','canceled'))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"intent_id" text NOT NULL,
	"order_edit_id" uuid,
	"provider_refund_id" text,
	"amount_cents" integer NOT NULL,
	"goods_cents" integer NOT NULL,
	"shipping_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"lines" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	"origin" text DEFAULT 'shop' NOT NULL,
	"actor" text,
	"person_id" uuid,
	"notified_at" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"asked_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	CONSTRAINT "refunds_revision" CHECK ("refunds"."revision" > 0),
	CONSTRAINT "refunds_amount_positive" CHECK ("refunds"."amount_cents" > 0),
	CONSTRAINT "refunds_split" CHECK ("refunds"."goods_cents" + "refunds"."shipping_cents" + "refunds"."tax_cents" = "refunds"."amount_cents"),
	CONSTRAINT "refunds_settled_when_succeeded" CHECK ("refunds"."settled_at" is null or "refunds"."status" = 'succeeded'),
	CONSTRAINT "refunds_parts" CHECK (least("refunds"."goods_cents", "refunds"."shipping_cents", "refunds"."tax_cents") >= 0),
	CONSTRAINT "refunds_status" CHECK ("refunds"."status" in ('pending','succeeded','failed')),
	CONSTRAINT "refunds_origin" CHECK ("refunds"."origin" in ('shop','provider'))
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"person_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"challenge" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"person_id" uuid,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "passkey_challenges_purpose" CHECK ("passkey_challenges"."purpose" in ('add','confirm','sign_in'))
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"person_id" uuid NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"is_synced" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"joined_at" timestamp with time zone,
	"deactivated_at" timestamp with time zone,
	CONSTRAINT "people_role" CHECK ("people"."role" in ('owner','staff','packer','accountant'))
);
--> statement-breakpoint
CREATE TABLE "deletion_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deletion_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text,
	"requested_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "push_devices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"person_id" uuid,
	"session_id" uuid,
	"name" text,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"wants" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	"last_delivered_at" timestamp with time zone,
	"last_event" text,
	"problem" text,
	CONSTRAINT "push_devices_wants" CHECK ("push_devices"."wants" <@ array['order','message','return','dispute'])
);
--> statement-breakpoint
CREATE TABLE "questions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "questions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"product_id" integer NOT NULL,
	"visitor_id" uuid,
	"question" text NOT NULL,
	"name" text,
	"email" text,
	"status" text DEFAULT 'open' NOT NULL,
	"answer" text,
	"answered_at" timestamp with time zone,
	"is_suspicious" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "questions_status" CHECK ("questions"."status" in ('open','published','hidden')),
	CONSTRAINT "questions_length" CHECK (char_length("questions"."question") between 10 and 500),
	CONSTRAINT "questions_answer_length" CHECK (char_length("questions"."answer") between 1 and 2000),
	CONSTRAINT "questions_published_with_answer" CHECK ("questions"."status" <> 'published' or "questions"."answer" is not null),
	CONSTRAINT "questions_answered" CHECK (("questions"."answer" is null) = ("questions"."answered_at" is null))
);
--> statement-breakpoint
CREATE TABLE "refill_reminders" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone NOT NULL
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
CREATE TABLE "review_counts" (
	"product_id" integer NOT NULL,
	"rating" integer NOT NULL,
	"hair" text NOT NULL,
	"skin" text NOT NULL,
	"has_photos" boolean NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "review_counts_product_id_rating_hair_skin_has_photos_pk" PRIMARY KEY("product_id","rating","hair","skin","has_photos"),
	CONSTRAINT "review_counts_not_negative" CHECK ("review_counts"."count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "review_photos" (
	"file" text PRIMARY KEY NOT NULL,
	"review_id" integer,
	"visitor_id" uuid,
	"position" integer DEFAULT 0 NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"status" text DEFAULT 'held' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "review_photos_status" CHECK ("review_photos"."status" in ('held','shown')),
	CONSTRAINT "review_photos_shown_with_review" CHECK ("review_photos"."status" = 'held' or "review_photos"."review_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "review_votes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "review_votes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"review_id" integer NOT NULL,
	"visitor_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reviews_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"product_id" integer NOT NULL,
	"visitor_id" uuid,
	"order_id" uuid,
	"rating" integer NOT NULL,
	"comment" text NOT NULL,
	"customer_name" text,
	"hair" text,
	"skin" text,
	"verified" boolean DEFAULT false NOT NULL,
	"status" text NOT NULL,
	"hidden_reason" text,
	"reply" text,
	"replied_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone,
	"photos_shown" integer DEFAULT 0 NOT NULL,
	"helpful_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "reviews_rating" CHECK ("reviews"."rating" between 1 and 5),
	CONSTRAINT "reviews_comment_length" CHECK (char_length("reviews"."comment") between 10 and 500),
	CONSTRAINT "reviews_status" CHECK ("reviews"."status" in ('published','hidden','pending')),
	CONSTRAINT "reviews_verified_by_order" CHECK (not "reviews"."verified" or "reviews"."order_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "donations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"amount_cents" bigint NOT NULL,
	"sent_on" date NOT NULL,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "donations_amount" CHECK ("donations"."amount_cents" > 0),
	CONSTRAINT "donations_note" CHECK (char_length("donations"."note") between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "sales_buckets" (
	"starts_at" timestamp with time zone NOT NULL,
	"provider" text NOT NULL,
	"orders" integer NOT NULL,
	"goods_cents" bigint NOT NULL,
	"discount_cents" bigint DEFAULT 0 NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"proceeds_cents" bigint DEFAULT 0 NOT NULL,
	"given_cents" bigint NOT NULL,
	"checkouts" integer NOT NULL,
	"placed_paid" integer DEFAULT 0 NOT NULL,
	"refunds" integer NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"refunded_shipping_cents" bigint DEFAULT 0 NOT NULL,
	"refunded_tax_cents" bigint DEFAULT 0 NOT NULL,
	"chargebacks" integer DEFAULT 0 NOT NULL,
	"charged_back_cents" bigint DEFAULT 0 NOT NULL,
	"dispute_fee_cents" bigint DEFAULT 0 NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sales_buckets_starts_at_provider_pk" PRIMARY KEY("starts_at","provider")
);
--> statement-breakpoint
CREATE TABLE "sales_days" (
	"starts_at" timestamp with time zone NOT NULL,
	"provider" text NOT NULL,
	"orders" integer NOT NULL,
	"goods_cents" bigint NOT NULL,
	"discount_cents" bigint DEFAULT 0 NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"proceeds_cents" bigint DEFAULT 0 NOT NULL,
	"given_cents" bigint NOT NULL,
	"checkouts" integer NOT NULL,
	"placed_paid" integer DEFAULT 0 NOT NULL,
	"refunds" integer NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"refunded_shipping_cents" bigint DEFAULT 0 NOT NULL,
	"refunded_tax_cents" bigint DEFAULT 0 NOT NULL,
	"chargebacks" integer DEFAULT 0 NOT NULL,
	"charged_back_cents" bigint DEFAULT 0 NOT NULL,
	"dispute_fee_cents" bigint DEFAULT 0 NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sales_days_starts_at_provider_pk" PRIMARY KEY("starts_at","provider")
);
--> statement-breakpoint
CREATE TABLE "sales_rollup" (
	"one" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"through" timestamp with time zone NOT NULL,
	"rebuilt_at" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"version" smallint DEFAULT 1 NOT NULL,
	CONSTRAINT "sales_rollup_one_row" CHECK ("sales_rollup"."one" = 1)
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"shop_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"session_secret_hash" text,
	"session_secret" text,
	"last_backup_at" timestamp with time zone,
	CONSTRAINT "installation_single" CHECK ("installation"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "built_files" (
	"path" text PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"is_brotli" boolean NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stock_alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"email" text NOT NULL,
	"email_hash" "bytea" NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"notified_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "visitors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea",
	"network" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "visitors_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "admin_sessions" ADD CONSTRAINT "admin_sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_order_edit_id_order_edits_id_fk" FOREIGN KEY ("order_edit_id") REFERENCES "public"."order_edits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_bundles" ADD CONSTRAINT "product_bundles_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_slugs" ADD CONSTRAINT "product_slugs_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_view_hours" ADD CONSTRAINT "product_view_hours_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_views" ADD CONSTRAINT "product_views_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_family_id_product_families_id_fk" FOREIGN KEY ("family_id") REFERENCES "public"."product_families"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_reminders" ADD CONSTRAINT "cart_reminders_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_replies" ADD CONSTRAINT "contact_replies_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_versions" ADD CONSTRAINT "content_versions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_emails" ADD CONSTRAINT "customer_emails_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_merges" ADD CONSTRAINT "customer_merges_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_discount_id_discounts_id_fk" FOREIGN KEY ("discount_id") REFERENCES "public"."discounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_evidence" ADD CONSTRAINT "dispute_evidence_dispute_id_disputes_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_files" ADD CONSTRAINT "dispute_files_dispute_id_dispute_evidence_dispute_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."dispute_evidence"("dispute_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_drafts" ADD CONSTRAINT "order_drafts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_units" ADD CONSTRAINT "batch_units_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_units" ADD CONSTRAINT "batch_units_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock" ADD CONSTRAINT "stock_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discrepancies" ADD CONSTRAINT "discrepancies_check_id_money_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."money_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discrepancies" ADD CONSTRAINT "discrepancies_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_edits" ADD CONSTRAINT "order_edits_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_returns" ADD CONSTRAINT "order_returns_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_tags" ADD CONSTRAINT "order_tags_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipment_lines" ADD CONSTRAINT "shipment_lines_shipment_id_shipments_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_visitors" ADD CONSTRAINT "order_visitors_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_visitors" ADD CONSTRAINT "order_visitors_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."sandbox_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "issues" ADD CONSTRAINT "issues_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_declines" ADD CONSTRAINT "payment_declines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_edit_id_order_edits_id_fk" FOREIGN KEY ("order_edit_id") REFERENCES "public"."order_edits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_edit_id_order_edits_id_fk" FOREIGN KEY ("order_edit_id") REFERENCES "public"."order_edits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refill_reminders" ADD CONSTRAINT "refill_reminders_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_ratings" ADD CONSTRAINT "product_ratings_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_counts" ADD CONSTRAINT "review_counts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_photos" ADD CONSTRAINT "review_photos_file_picture_originals_file_fk" FOREIGN KEY ("file") REFERENCES "public"."picture_originals"("file") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_photos" ADD CONSTRAINT "review_photos_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_photos" ADD CONSTRAINT "review_photos_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_alerts" ADD CONSTRAINT "stock_alerts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_at" ON "activity" USING btree ("at");--> statement-breakpoint
CREATE INDEX "activity_wrong_codes" ON "activity" USING btree ("at") WHERE "activity"."session_id" is null and "activity"."outcome" = 'refused';--> statement-breakpoint
CREATE INDEX "activity_subject" ON "activity" USING btree ("subject","id");--> statement-breakpoint
CREATE INDEX "activity_person" ON "activity" USING btree ("person_id","id") WHERE "activity"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "admin_sessions_person" ON "admin_sessions" USING btree ("person_id") WHERE "admin_sessions"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "failed_code_attempts_caller" ON "failed_code_attempts" USING btree ("caller","at");--> statement-breakpoint
CREATE INDEX "failed_code_attempts_at" ON "failed_code_attempts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "backups_requested" ON "backups" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "balance_entries_newest" ON "balance_entries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "balance_entries_intent" ON "balance_entries" USING btree ("intent_id") WHERE "balance_entries"."intent_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number" ON "invoices" USING btree ("mode","kind","year","number");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_of_sale" ON "invoices" USING btree ("order_id",coalesce("order_edit_id", "order_id")) WHERE "invoices"."kind" = 'invoice' and "invoices"."voided_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_of_refund" ON "invoices" USING btree ("refund_id") WHERE "invoices"."voided_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_of_exchange" ON "invoices" USING btree ("order_edit_id") WHERE "invoices"."kind" = 'credit_note' and "invoices"."voided_at" is null;--> statement-breakpoint
CREATE INDEX "invoices_order" ON "invoices" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "invoices_refund" ON "invoices" USING btree ("refund_id");--> statement-breakpoint
CREATE INDEX "invoices_order_edit" ON "invoices" USING btree ("order_edit_id") WHERE "invoices"."order_edit_id" is not null;--> statement-breakpoint
CREATE INDEX "invoices_newest" ON "invoices" USING btree ("issued_at","id");--> statement-breakpoint
CREATE INDEX "cart_items_product" ON "cart_items" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "product_slugs_product" ON "product_slugs" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "product_view_hours_product" ON "product_view_hours" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "product_views_hour" ON "product_views" USING btree ("hour");--> statement-breakpoint
CREATE UNIQUE INDEX "products_family_sizes" ON "products" USING btree ("family_id",lower("size"));--> statement-breakpoint
CREATE UNIQUE INDEX "products_sku" ON "products" USING btree (lower("sku"));--> statement-breakpoint
CREATE INDEX "cart_reminders_due" ON "cart_reminders" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "cart_reminders_created" ON "cart_reminders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contact_messages_open" ON "contact_messages" USING btree ("number") WHERE "contact_messages"."status" = 'open';--> statement-breakpoint
CREATE INDEX "contact_messages_done" ON "contact_messages" USING btree ("created_at") WHERE "contact_messages"."status" = 'done';--> statement-breakpoint
CREATE INDEX "contact_messages_honeypot" ON "contact_messages" USING btree ("created_at") WHERE "contact_messages"."suspicion" = 'honeypot';--> statement-breakpoint
CREATE INDEX "contact_messages_unread" ON "contact_messages" USING btree ("number") WHERE "contact_messages"."read_at" is null;--> statement-breakpoint
CREATE INDEX "contact_messages_email" ON "contact_messages" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "contact_replies_message" ON "contact_replies" USING btree ("message_id","created_at");--> statement-breakpoint
CREATE INDEX "content_versions_published" ON "content_versions" USING btree ("key","id") WHERE "content_versions"."published_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "content_versions_draft" ON "content_versions" USING btree ("key") WHERE "content_versions"."published_at" is null;--> statement-breakpoint
CREATE INDEX "content_versions_person" ON "content_versions" USING btree ("person_id") WHERE "content_versions"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "customer_emails_customer" ON "customer_emails" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "customer_merges_customer" ON "customer_merges" USING btree ("customer_id","id");--> statement-breakpoint
CREATE INDEX "customer_merges_merged" ON "customer_merges" USING btree ("merged_id");--> statement-breakpoint
CREATE INDEX "customer_notes_customer" ON "customer_notes" USING btree ("customer_id","id");--> statement-breakpoint
CREATE INDEX "customers_last_order" ON "customers" USING btree ("last_order_at","id");--> statement-breakpoint
CREATE INDEX "customers_value" ON "customers" USING btree ("value_cents","id");--> statement-breakpoint
CREATE INDEX "customers_orders" ON "customers" USING btree ("orders","id");--> statement-breakpoint
CREATE INDEX "customers_country" ON "customers" USING btree ("country","last_order_at","id");--> statement-breakpoint
CREATE INDEX "customers_tags" ON "customers" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "customers_tagged" ON "customers" USING btree ("id") WHERE "customers"."tags" <> '{}';--> statement-breakpoint
CREATE INDEX "discount_uses_customer" ON "discount_uses" USING btree ("discount_id","customer_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "discounts_code" ON "discounts" USING btree (upper("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "dispute_files_slot" ON "dispute_files" USING btree ("dispute_id","slot");--> statement-breakpoint
CREATE INDEX "disputes_order" ON "disputes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "disputes_intent" ON "disputes" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "disputes_changed" ON "disputes" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("created_at") WHERE "disputes"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "order_drafts_newest" ON "order_drafts" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "order_drafts_changed" ON "order_drafts" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "order_drafts_email" ON "order_drafts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "order_drafts_order" ON "order_drafts" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "rate_limits_expire_idx" ON "rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "batch_units_batch" ON "batch_units" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "batch_units_product" ON "batch_units" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "batches_code" ON "batches" USING btree ("product_id",lower("code"));--> statement-breakpoint
CREATE INDEX "batches_oldest_first" ON "batches" USING btree ("product_id","best_before","id");--> statement-breakpoint
CREATE UNIQUE INDEX "stock_movements_one_sale" ON "stock_movements" USING btree ("order_id","product_id",coalesce("change_id", "order_id")) WHERE "stock_movements"."kind" = 'sold';--> statement-breakpoint
CREATE INDEX "stock_movements_product" ON "stock_movements" USING btree ("product_id","at");--> statement-breakpoint
CREATE INDEX "stock_movements_change" ON "stock_movements" USING btree ("change_id") WHERE "stock_movements"."change_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "discrepancies_once" ON "discrepancies" USING btree ("check_id","kind","intent_id");--> statement-breakpoint
CREATE INDEX "discrepancies_intent" ON "discrepancies" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "discrepancies_order" ON "discrepancies" USING btree ("order_id") WHERE "discrepancies"."order_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "subscribers_address" ON "subscribers" USING btree ("email_hash");--> statement-breakpoint
CREATE INDEX "subscribers_unconfirmed" ON "subscribers" USING btree ("asked_at") WHERE "subscribers"."confirmed_at" is null;--> statement-breakpoint
CREATE INDEX "order_edits_order" ON "order_edits" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE INDEX "order_edits_ended" ON "order_edits" USING btree ("ended_at");--> statement-breakpoint
CREATE UNIQUE INDEX "order_edits_one_waiting" ON "order_edits" USING btree ("order_id") WHERE "order_edits"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "order_edits_expiry" ON "order_edits" USING btree ("expires_at") WHERE "order_edits"."status" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "order_filters_name" ON "order_filters" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "order_notes_order" ON "order_notes" USING btree ("order_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_returns_one_open" ON "order_returns" USING btree ("order_id") WHERE "order_returns"."status" in ('requested','approved');--> statement-breakpoint
CREATE INDEX "order_returns_order" ON "order_returns" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_returns_waiting" ON "order_returns" USING btree ("requested_at") WHERE "order_returns"."status" = 'requested';--> statement-breakpoint
CREATE INDEX "order_tags_tag" ON "order_tags" USING btree ("tag","order_id");--> statement-breakpoint
CREATE INDEX "shipment_lines_order_line" ON "shipment_lines" USING btree ("order_id","product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_order_number" ON "shipments" USING btree ("order_id","number");--> statement-breakpoint
CREATE INDEX "shipments_tracking" ON "shipments" USING btree (upper(translate("tracking_number", ' -', ''))) WHERE "shipments"."tracking_number" is not null;--> statement-breakpoint
CREATE INDEX "order_events_order" ON "order_events" USING btree ("order_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_lines_product_once" ON "order_lines" USING btree ("order_id","product_id");--> statement-breakpoint
CREATE INDEX "order_lines_product" ON "order_lines" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "order_lookups_email" ON "order_lookups" USING btree (lower("email"),"expires_at");--> statement-breakpoint
CREATE INDEX "order_lookups_expires" ON "order_lookups" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "order_visitors_order" ON "order_visitors" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_idempotency_key" ON "orders" USING btree ("idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_one_pending_per_request" ON "orders" USING btree ("visitor_id","request_hash") WHERE "orders"."status" = 'pending' and "orders"."reusable";--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("paid_at","id") WHERE "orders"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("created_at","id","mode") WHERE "orders"."status" in ('completed','partially_refunded') and "orders"."shipped_at" is null and "orders"."cancelled_at" is null and "orders"."all_back_at" is null and "orders"."ship_hold" is null;--> statement-breakpoint
CREATE INDEX "orders_on_the_way" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" in ('shipped','partially_refunded') and "orders"."shipped_at" is not null and "orders"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX "orders_cancelled" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" = 'cancelled';--> statement-breakpoint
CREATE INDEX "orders_held_back" ON "orders" USING btree ("created_at","id") WHERE "orders"."ship_hold" is not null;--> statement-breakpoint
CREATE INDEX "orders_cancelled_paid" ON "orders" USING btree ("created_at","id") WHERE "orders"."cancelled_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_refunded" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" = 'refunded';--> statement-breakpoint
CREATE INDEX "orders_visitor" ON "orders" USING btree ("visitor_id");--> statement-breakpoint
CREATE INDEX "orders_country" ON "orders" USING btree (("shipping" ->> 'country'),"created_at","id");--> statement-breakpoint
CREATE INDEX "orders_email" ON "orders" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "orders_pending_expiry" ON "orders" USING btree ("expires_at") WHERE "orders"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "orders_pending_network" ON "orders" USING btree ("buyer_network") WHERE "orders"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "messages_dedupe_key" ON "messages" USING btree ("dedupe_key");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_one_confirmation" ON "messages" USING btree ("order_id") WHERE "messages"."kind" = 'order_confirmation';--> statement-breakpoint
CREATE INDEX "messages_newest" ON "messages" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "messages_without_order" ON "messages" USING btree ("created_at") WHERE "messages"."order_id" is null;--> statement-breakpoint
CREATE INDEX "messages_by_status" ON "messages" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_by_kind" ON "messages" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_order" ON "messages" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "messages_contact" ON "messages" USING btree (("data" ->> 'messageId')) WHERE ("messages"."data" ->> 'messageId') is not null;--> statement-breakpoint
CREATE INDEX "messages_texts" ON "messages" USING btree ("created_at","id") WHERE "messages"."channel" = 'sms';--> statement-breakpoint
CREATE INDEX "messages_recipient" ON "messages" USING btree (lower("recipient"));--> statement-breakpoint
CREATE INDEX "messages_mailbox" ON "messages" USING btree ((case when split_part(regexp_replace(lower("recipient"), '^([^+@]+)[+][^@]*@', '\1@'), '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(regexp_replace(lower("recipient"), '^([^+@]+)[+][^@]*@', '\1@'), '@', 1), '.', '') || '@gmail.com' else regexp_replace(lower("recipient"), '^([^+@]+)[+][^@]*@', '\1@') end),"created_at");--> statement-breakpoint
CREATE INDEX "sandbox_events_oldest" ON "sandbox_events" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_intents_idempotency_key" ON "sandbox_intents" USING btree ("idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_intents_session" ON "sandbox_intents" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "sandbox_intents_created" ON "sandbox_intents" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_refunds_idempotency_key" ON "sandbox_refunds" USING btree ("idempotency_key");--> statement-breakpoint
CREATE INDEX "sandbox_refunds_intent" ON "sandbox_refunds" USING btree ("intent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "issues_once" ON "issues" USING btree ("kind","subject");--> statement-breakpoint
CREATE INDEX "issues_order" ON "issues" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "issues_open" ON "issues" USING btree ("order_id") WHERE "issues"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "payment_declines_order" ON "payment_declines" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_declines_newest" ON "payment_declines" USING btree ("declined_at");--> statement-breakpoint
CREATE INDEX "payment_events_intent" ON "payment_events" USING btree ("intent_id","type");--> statement-breakpoint
CREATE INDEX "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "payment_events_delivered" ON "payment_events" USING btree ("delivered_at","created_at");--> statement-breakpoint
CREATE INDEX "payment_events_unhandled" ON "payment_events" USING btree ("created_at") WHERE "payment_events"."handled_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_intent" ON "payments" USING btree ("intent_id" text_pattern_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "payments_session" ON "payments" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_revision" ON "payments" USING btree ("order_id","revision");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_payable" ON "payments" USING btree ("order_id") WHERE "payments"."status" in ('requires_payment','processing');--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_opening" ON "payments" USING btree ("order_id") WHERE "payments"."status" = 'opening';--> statement-breakpoint
CREATE INDEX "payments_opening_since" ON "payments" USING btree ("opening_until") WHERE "payments"."status" = 'opening';--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_paid" ON "payments" USING btree ("order_id") WHERE "payments"."status" = 'succeeded' and "payments"."order_edit_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_paid_of_edit" ON "payments" USING btree ("order_edit_id") WHERE "payments"."status" = 'succeeded';--> statement-breakpoint
CREATE INDEX "payments_order_edit" ON "payments" USING btree ("order_edit_id") WHERE "payments"."order_edit_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_provider_refund" ON "refunds" USING btree ("provider_refund_id");--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_order_edit" ON "refunds" USING btree ("order_edit_id") WHERE "refunds"."order_edit_id" is not null;--> statement-breakpoint
CREATE INDEX "refunds_settled" ON "refunds" USING btree ("settled_at") WHERE "refunds"."settled_at" is not null;--> statement-breakpoint
CREATE INDEX "refunds_pending" ON "refunds" USING btree ("created_at") WHERE "refunds"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "passkey_challenges_person" ON "passkey_challenges" USING btree ("person_id") WHERE "passkey_challenges"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_person" ON "passkeys" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_email" ON "people" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "deletion_requests_open" ON "deletion_requests" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "push_devices_endpoint" ON "push_devices" USING btree ("endpoint");--> statement-breakpoint
CREATE INDEX "push_devices_person" ON "push_devices" USING btree ("person_id") WHERE "push_devices"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "push_devices_used" ON "push_devices" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "questions_of_product" ON "questions" USING btree ("product_id","status","answered_at","id");--> statement-breakpoint
CREATE INDEX "questions_by_status" ON "questions" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "questions_visitor" ON "questions" USING btree ("visitor_id");--> statement-breakpoint
CREATE INDEX "questions_email" ON "questions" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "questions_not_shown" ON "questions" USING btree ("created_at") WHERE "questions"."status" <> 'published';--> statement-breakpoint
CREATE INDEX "questions_email_kept" ON "questions" USING btree ("answered_at") WHERE "questions"."email" is not null;--> statement-breakpoint
CREATE INDEX "refill_reminders_asked" ON "refill_reminders" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "review_photos_review" ON "review_photos" USING btree ("review_id","position") WHERE "review_photos"."review_id" is not null;--> statement-breakpoint
CREATE INDEX "review_photos_held" ON "review_photos" USING btree ("review_id","file") WHERE "review_photos"."review_id" is not null and "review_photos"."status" = 'held';--> statement-breakpoint
CREATE INDEX "review_photos_unsent" ON "review_photos" USING btree ("created_at") WHERE "review_photos"."review_id" is null;--> statement-breakpoint
CREATE INDEX "review_photos_visitor" ON "review_photos" USING btree ("visitor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "review_votes_one_per_visitor" ON "review_votes" USING btree ("review_id","visitor_id");--> statement-breakpoint
CREATE INDEX "review_votes_visitor" ON "review_votes" USING btree ("visitor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_one_per_visitor" ON "reviews" USING btree ("product_id","visitor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_one_per_order" ON "reviews" USING btree ("product_id","order_id");--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("product_id","id") WHERE "reviews"."status" = 'published';--> statement-breakpoint
CREATE INDEX "reviews_shown_by_rating" ON "reviews" USING btree ("product_id","rating","id") WHERE "reviews"."status" = 'published';--> statement-breakpoint
CREATE INDEX "reviews_shown_all" ON "reviews" USING btree ("id") WHERE "reviews"."status" = 'published';--> statement-breakpoint
CREATE INDEX "reviews_shown_all_by_rating" ON "reviews" USING btree ("rating","id") WHERE "reviews"."status" = 'published';--> statement-breakpoint
CREATE INDEX "reviews_shown_helpful" ON "reviews" USING btree ("helpful_count","id") WHERE "reviews"."status" = 'published';--> statement-breakpoint
CREATE INDEX "reviews_shown_by_hair" ON "reviews" USING btree ("hair","id") WHERE "reviews"."status" = 'published' and "reviews"."hair" is not null;--> statement-breakpoint
CREATE INDEX "reviews_shown_by_skin" ON "reviews" USING btree ("skin","id") WHERE "reviews"."status" = 'published' and "reviews"."skin" is not null;--> statement-breakpoint
CREATE INDEX "reviews_shown_with_photos" ON "reviews" USING btree ("id") WHERE "reviews"."status" = 'published' and "reviews"."photos_shown" > 0;--> statement-breakpoint
CREATE INDEX "reviews_visitor" ON "reviews" USING btree ("visitor_id");--> statement-breakpoint
CREATE INDEX "reviews_order" ON "reviews" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "reviews_by_status" ON "reviews" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "donations_newest" ON "donations" USING btree ("sent_on","created_at","id");--> statement-breakpoint
CREATE INDEX "built_files_seen" ON "built_files" USING btree ("seen_at");--> statement-breakpoint
CREATE UNIQUE INDEX "stock_alerts_address" ON "stock_alerts" USING btree ("email_hash","product_id");--> statement-breakpoint
CREATE INDEX "stock_alerts_waiting" ON "stock_alerts" USING btree ("product_id","notified_at","confirmed_at");--> statement-breakpoint
CREATE INDEX "stock_alerts_asked" ON "stock_alerts" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "visitors_seen" ON "visitors" USING btree ("seen_at","id");--> statement-breakpoint
CREATE INDEX "visitors_network" ON "visitors" USING btree ("network","seen_at") WHERE "visitors"."network" is not null;--> statement-breakpoint
-- By hand ----------------------------------------------------------------------------------------------------------------------
-- After the unique index that it refers to.
ALTER TABLE "shipment_lines" ADD CONSTRAINT "shipment_lines_order_line" FOREIGN KEY ("order_id","product_id") REFERENCES "public"."order_lines"("order_id","product_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Pictures are compressed already; PostgreSQL would only try again.
ALTER TABLE "picture_originals" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
--> statement-breakpoint
-- Searches for any part of a name, an address or a text. A PostgreSQL without its contrib packages searches without these indexes:
-- slower, with the same results.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX orders_search ON orders USING gin ((lower(customer_name) || ' ' || lower(email)) gin_trgm_ops);
  CREATE INDEX orders_search_details ON orders USING gin ((lower(coalesce(shipping ->> 'city', '')) || ' '
    || lower(coalesce(discount_code, '')) || ' ' || lower(regexp_replace(coalesce(tracking_number, ''), '[^A-Za-z0-9]', '', 'g')) || ' '
    || regexp_replace(replace(coalesce(phone, ''), '(0)', ''), '[^0-9]', '', 'g')) gin_trgm_ops);
  CREATE INDEX customers_search ON customers USING gin (search gin_trgm_ops);
  CREATE INDEX contact_messages_search ON contact_messages
    USING gin ((lower(name) || ' ' || lower(email) || ' ' || lower(message)) gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'searched without indexes: %', SQLERRM;
END $$;
--> statement-breakpoint
-- The shop's own id.
INSERT INTO "installation" DEFAULT VALUES;
