CREATE TABLE "label_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "labels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"rate_id" text NOT NULL,
	"state" text NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"parcel_ref" text NOT NULL,
	"rate_ref" text NOT NULL,
	"carrier" text NOT NULL,
	"service" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"arrives_on" date,
	"lines" jsonb NOT NULL,
	"recipient" jsonb,
	"picture" "bytea",
	"forced_reason" text,
	"created_at" timestamp with time zone NOT NULL,
	"asking_until" timestamp with time zone,
	"bought_at" timestamp with time zone,
	"tracking_number" text,
	"printed_at" timestamp with time zone,
	"shipped_at" timestamp with time zone,
	"voided_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "labels_state" CHECK ("labels"."state" in ('buying','bought','failed','voiding','voided')),
	CONSTRAINT "labels_bought" CHECK ("labels"."state" not in ('bought','voiding','voided') or "labels"."bought_at" is not null),
	CONSTRAINT "labels_voided" CHECK (("labels"."state" = 'voided') = ("labels"."voided_at" is not null)),
	CONSTRAINT "labels_amount" CHECK ("labels"."amount_cents" >= 0),
	CONSTRAINT "labels_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id")
);
--> statement-breakpoint
CREATE TABLE "label_rates" (
	"order_id" uuid NOT NULL,
	"rate_id" text NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"parcel_ref" text NOT NULL,
	"rate_ref" text NOT NULL,
	"carrier" text NOT NULL,
	"service" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"arrives_on" date,
	"is_proposed" boolean NOT NULL,
	"parcel_hash" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "label_rates_order_id_rate_id_pk" PRIMARY KEY("order_id","rate_id"),
	CONSTRAINT "label_rates_amount" CHECK ("label_rates"."amount_cents" >= 0),
	CONSTRAINT "label_rates_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id")
);
--> statement-breakpoint
CREATE TABLE "label_job_orders" (
	"job_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"order_id" text NOT NULL,
	"label_id" uuid,
	"problem" text,
	CONSTRAINT "label_job_orders_job_id_position_pk" PRIMARY KEY("job_id","position"),
	CONSTRAINT "label_job_orders_job_id_label_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."label_jobs"("id") ON DELETE CASCADE,
	CONSTRAINT "label_job_orders_label_id_labels_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."labels"("id")
);
--> statement-breakpoint
CREATE INDEX "label_job_orders_label" ON "label_job_orders" USING btree ("label_id") WHERE "label_job_orders"."label_id" is not null;
--> statement-breakpoint
CREATE INDEX "label_jobs_created" ON "label_jobs" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "label_rates_asked" ON "label_rates" USING btree ("asked_at");
--> statement-breakpoint
CREATE INDEX "labels_order" ON "labels" USING btree ("order_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "labels_one_unshipped" ON "labels" USING btree ("order_id") WHERE "labels"."state" in ('buying','bought','voiding') and "labels"."shipped_at" is null;
--> statement-breakpoint
CREATE INDEX "labels_open" ON "labels" USING btree ("created_at") WHERE "labels"."state" in ('buying','voiding') or "labels"."state" = 'bought' and "labels"."shipped_at" is null;
--> statement-breakpoint
CREATE INDEX "labels_bought_at" ON "labels" USING btree ("bought_at") WHERE "labels"."bought_at" is not null;
--> statement-breakpoint
CREATE INDEX "labels_voided_at" ON "labels" USING btree ("voided_at") WHERE "labels"."voided_at" is not null;
--> statement-breakpoint
CREATE INDEX "labels_personal" ON "labels" USING btree ("created_at") WHERE "labels"."recipient" is not null;
