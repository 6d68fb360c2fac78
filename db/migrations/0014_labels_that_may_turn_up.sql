-- outside-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "labels_doubtful" ON "labels" USING btree ("asking_until") WHERE "labels"."state" = 'failed' and "labels"."asking_until" is not null;
