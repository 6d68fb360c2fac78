CREATE TABLE "rate_quotes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"visitor_id" uuid NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"rates" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "rate_quotes_visitor" ON "rate_quotes" USING btree ("visitor_id","content_hash");--> statement-breakpoint
CREATE INDEX "rate_quotes_expiry" ON "rate_quotes" USING btree ("expires_at");