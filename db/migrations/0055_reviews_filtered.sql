-- outside-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "reviews_shown_helpful" ON "reviews" USING btree ("helpful_count","id") WHERE "reviews"."status" = 'published';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "reviews_shown_by_hair" ON "reviews" USING btree ("hair","id") WHERE "reviews"."status" = 'published' and "reviews"."hair" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "reviews_shown_by_skin" ON "reviews" USING btree ("skin","id") WHERE "reviews"."status" = 'published' and "reviews"."skin" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "reviews_shown_with_photos" ON "reviews" USING btree ("id") WHERE "reviews"."status" = 'published' and "reviews"."photos_shown" > 0;
