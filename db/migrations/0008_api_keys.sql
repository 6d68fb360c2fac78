CREATE TABLE "api_keys" (
	"person_id" uuid PRIMARY KEY NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"expires_on" date,
	"last_used_at" timestamp with time zone,
	"last_address" text,
	"given_cents" bigint DEFAULT 0 NOT NULL,
	"given_on" date,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "api_keys_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE "api_key_answers" (
	"person_id" uuid NOT NULL,
	"idempotency_hash" "bytea" NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"runs_until" timestamp with time zone NOT NULL,
	"answer" jsonb,
	CONSTRAINT "api_key_answers_person_id_idempotency_hash_pk" PRIMARY KEY("person_id","idempotency_hash"),
	CONSTRAINT "api_key_answers_person_id_api_keys_person_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."api_keys"("person_id") ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE "people" ALTER COLUMN "email" DROP NOT NULL;
--> statement-breakpoint
CREATE INDEX "api_key_answers_created" ON "api_key_answers" USING btree ("created_at");
