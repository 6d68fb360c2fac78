CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"counts" jsonb NOT NULL,
	"undo_rows" jsonb NOT NULL,
	"undone" jsonb,
	CONSTRAINT "imports_kind" CHECK ("imports"."kind" in ('products','stock','discounts','customers','subscribers'))
);
--> statement-breakpoint
ALTER TABLE "subscribers" DROP CONSTRAINT "subscribers_place";
--> statement-breakpoint
ALTER TABLE "subscribers" ADD CONSTRAINT "subscribers_place" CHECK ("subscribers"."place" in ('footer','success','import')) NOT VALID;
