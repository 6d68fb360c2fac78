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
ALTER TABLE "dispute_evidence" ADD CONSTRAINT "dispute_evidence_dispute_id_disputes_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_files" ADD CONSTRAINT "dispute_files_dispute_id_dispute_evidence_dispute_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."dispute_evidence"("dispute_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dispute_files_slot" ON "dispute_files" USING btree ("dispute_id","slot");