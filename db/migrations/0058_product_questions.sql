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
ALTER TABLE "questions" ADD CONSTRAINT "questions_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "questions_of_product" ON "questions" USING btree ("product_id","status","answered_at","id");--> statement-breakpoint
CREATE INDEX "questions_by_status" ON "questions" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "questions_visitor" ON "questions" USING btree ("visitor_id");--> statement-breakpoint
CREATE INDEX "questions_email" ON "questions" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "questions_not_shown" ON "questions" USING btree ("created_at") WHERE "questions"."status" <> 'published';--> statement-breakpoint
CREATE INDEX "questions_email_kept" ON "questions" USING btree ("answered_at") WHERE "questions"."email" is not null;--> statement-breakpoint
CREATE FUNCTION notify_question_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP <> 'INSERT' AND OLD.status = 'published') OR (TG_OP <> 'DELETE' AND NEW.status = 'published') THEN
    PERFORM pg_notify('shop_changed', 'questions');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER questions_changed AFTER INSERT OR UPDATE OR DELETE ON questions
  FOR EACH ROW EXECUTE FUNCTION notify_question_changed();
