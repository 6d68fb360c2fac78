CREATE TABLE "content_versions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "content_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"text" jsonb,
	"shipped_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"person_id" uuid,
	"published_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "content_versions" ADD CONSTRAINT "content_versions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_versions_published" ON "content_versions" USING btree ("key","id") WHERE "content_versions"."published_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "content_versions_draft" ON "content_versions" USING btree ("key") WHERE "content_versions"."published_at" is null;--> statement-breakpoint
CREATE INDEX "content_versions_person" ON "content_versions" USING btree ("person_id") WHERE "content_versions"."person_id" is not null;--> statement-breakpoint
-- Pages show texts, so servers hear of each publication; drafts come through as well, which costs a rendering or two.
CREATE TRIGGER content_versions_changed AFTER INSERT OR UPDATE OR DELETE ON content_versions
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('content');
