-- outside-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "activity_person" ON "activity" USING btree ("person_id","id") WHERE "activity"."person_id" is not null;
