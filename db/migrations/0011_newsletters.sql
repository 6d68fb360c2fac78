CREATE TABLE "campaigns" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "campaigns_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"revision" integer DEFAULT 1 NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"subject" text NOT NULL,
	"preheader" text NOT NULL,
	"heading" text NOT NULL,
	"body" text NOT NULL,
	"product_id" integer,
	"button_label" text NOT NULL,
	"button_url" text NOT NULL,
	"code" text,
	"audience" text NOT NULL,
	"segment" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"scheduled_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"run_id" uuid,
	"problem" text,
	"counts" jsonb,
	CONSTRAINT "campaigns_status" CHECK ("campaigns"."status" in ('draft','scheduled','sending','sent','stopped')),
	CONSTRAINT "campaigns_audience" CHECK ("campaigns"."audience" in ('subscribers','buyers','segment')),
	CONSTRAINT "campaigns_ended" CHECK (("campaigns"."ended_at" is not null) = ("campaigns"."status" in ('sent','stopped')))
);
--> statement-breakpoint
CREATE TABLE "campaign_recipients" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "campaign_recipients_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"campaign_id" bigint NOT NULL,
	"email_hash" "bytea" NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"at" timestamp with time zone,
	CONSTRAINT "campaign_recipients_status" CHECK ("campaign_recipients"."status" in ('queued','sending','sent','bounced','failed','unknown','skipped')),
	CONSTRAINT "campaign_recipients_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_lane";
--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_recipients_once" ON "campaign_recipients" USING btree ("campaign_id","email_hash");
--> statement-breakpoint
CREATE INDEX "campaign_recipients_queued" ON "campaign_recipients" USING btree ("campaign_id","attempts","id") WHERE "campaign_recipients"."status" = 'queued';
--> statement-breakpoint
CREATE INDEX "campaign_recipients_address" ON "campaign_recipients" USING btree ("email_hash");
--> statement-breakpoint
CREATE INDEX "campaigns_to_send" ON "campaigns" USING btree ("scheduled_at") WHERE "campaigns"."status" in ('scheduled','sending');
--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_lane" CHECK ("jobs"."lane" in ('money','mail','letters','webhooks','upkeep','long')) NOT VALID;
