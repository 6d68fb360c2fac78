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
ALTER TABLE "installation" ADD COLUMN "session_secret" text;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "last_backup_at" timestamp with time zone;--> statement-breakpoint
-- Pictures are compressed already: the database would only try again.
ALTER TABLE "picture_originals" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;--> statement-breakpoint
-- Every server deletes what it made of an original that is gone.
CREATE TRIGGER picture_originals_deleted AFTER DELETE ON "picture_originals"
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('picture_originals');
