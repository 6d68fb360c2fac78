-- Queues jobs without a notification: PostgreSQL lets one notifying transaction at a time commit, so that orders would wait
-- for one another. Whoever calls it wakes the workers afterwards (server/platform/jobs/queued.ts); should that be lost, they
-- look every two seconds anyway. The queue's tables are made after this migration, when the server starts.
CREATE FUNCTION queue_jobs(job text, tries smallint, job_priority smallint, payloads json[]) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO graphile_worker._private_tasks (identifier)
  SELECT job WHERE NOT EXISTS (SELECT FROM graphile_worker._private_tasks WHERE identifier = job)
  ON CONFLICT DO NOTHING;
  RETURN QUERY INSERT INTO graphile_worker._private_jobs AS jobs (task_id, payload, max_attempts, priority)
    SELECT tasks.id, payload, tries, job_priority
    FROM unnest(payloads) AS payload CROSS JOIN graphile_worker._private_tasks AS tasks
    WHERE tasks.identifier = job
    RETURNING jobs.id;
END $$;
