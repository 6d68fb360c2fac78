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
ALTER TABLE "reviews" ADD COLUMN "hair" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "skin" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "photos_shown" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "helpful_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "review_counts" ADD CONSTRAINT "review_counts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_photos" ADD CONSTRAINT "review_photos_file_picture_originals_file_fk" FOREIGN KEY ("file") REFERENCES "public"."picture_originals"("file") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_photos" ADD CONSTRAINT "review_photos_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_photos" ADD CONSTRAINT "review_photos_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_visitor_id_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."visitors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_photos_review" ON "review_photos" USING btree ("review_id","position") WHERE "review_photos"."review_id" is not null;--> statement-breakpoint
CREATE INDEX "review_photos_held" ON "review_photos" USING btree ("review_id","file") WHERE "review_photos"."review_id" is not null and "review_photos"."status" = 'held';--> statement-breakpoint
CREATE INDEX "review_photos_unsent" ON "review_photos" USING btree ("created_at") WHERE "review_photos"."review_id" is null;--> statement-breakpoint
CREATE INDEX "review_photos_visitor" ON "review_photos" USING btree ("visitor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "review_votes_one_per_visitor" ON "review_votes" USING btree ("review_id","visitor_id");--> statement-breakpoint
CREATE INDEX "review_votes_visitor" ON "review_votes" USING btree ("visitor_id");--> statement-breakpoint
-- Reviews of each kind are counted as they change, whoever writes them and however many do so at once.
CREATE FUNCTION count_review_kinds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.status, OLD.rating, OLD.product_id, OLD.hair, OLD.skin, OLD.photos_shown > 0)
      IS NOT DISTINCT FROM (NEW.status, NEW.rating, NEW.product_id, NEW.hair, NEW.skin, NEW.photos_shown > 0) THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.status = 'published' THEN
    UPDATE review_counts SET count = count - 1
    WHERE product_id = OLD.product_id AND rating = OLD.rating AND hair = coalesce(OLD.hair, '')
      AND skin = coalesce(OLD.skin, '') AND has_photos = (OLD.photos_shown > 0);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'published' THEN
    INSERT INTO review_counts AS c (product_id, rating, hair, skin, has_photos, count)
    VALUES (NEW.product_id, NEW.rating, coalesce(NEW.hair, ''), coalesce(NEW.skin, ''), NEW.photos_shown > 0, 1)
    ON CONFLICT (product_id, rating, hair, skin, has_photos) DO UPDATE SET count = c.count + 1;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
LOCK TABLE reviews IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
INSERT INTO review_counts (product_id, rating, hair, skin, has_photos, count)
SELECT product_id, rating, '', '', false, count(*) FROM reviews WHERE status = 'published' GROUP BY product_id, rating;
--> statement-breakpoint
CREATE TRIGGER reviews_counted_by_kind AFTER INSERT OR UPDATE OR DELETE ON reviews
  FOR EACH ROW EXECUTE FUNCTION count_review_kinds();
--> statement-breakpoint
CREATE FUNCTION count_helpful_votes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE reviews SET helpful_count = helpful_count + 1 WHERE id = NEW.review_id;
  ELSE
    UPDATE reviews SET helpful_count = helpful_count - 1 WHERE id = OLD.review_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER review_votes_counted AFTER INSERT OR DELETE ON review_votes
  FOR EACH ROW EXECUTE FUNCTION count_helpful_votes();
--> statement-breakpoint
CREATE FUNCTION count_shown_photos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'shown' THEN
    UPDATE reviews SET photos_shown = photos_shown - 1 WHERE id = OLD.review_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'shown' THEN
    UPDATE reviews SET photos_shown = photos_shown + 1 WHERE id = NEW.review_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER review_photos_counted AFTER INSERT OR UPDATE OF status, review_id OR DELETE ON review_photos
  FOR EACH ROW EXECUTE FUNCTION count_shown_photos();
--> statement-breakpoint
-- Whoever deletes a photo, its original goes with it, and every server deletes the sizes it made.
CREATE FUNCTION delete_photo_original() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM picture_originals WHERE file = OLD.file;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER review_photos_deleted AFTER DELETE ON review_photos
  FOR EACH ROW EXECUTE FUNCTION delete_photo_original();
--> statement-breakpoint
-- A photo that is no longer on show: every server deletes the sizes it made.
CREATE TRIGGER review_photos_withdrawn AFTER UPDATE OF status ON review_photos
  FOR EACH ROW WHEN (OLD.status = 'shown' AND NEW.status <> 'shown') EXECUTE FUNCTION notify_shop_changed('picture_originals');
--> statement-breakpoint
CREATE TRIGGER reviews_withdrawn AFTER UPDATE OF status ON reviews
  FOR EACH ROW WHEN (OLD.photos_shown > 0 AND OLD.status = 'published' AND NEW.status <> 'published')
  EXECUTE FUNCTION notify_shop_changed('picture_originals');
