import pino from "pino";
import * as v from "valibot";
import { openDatabase } from "../server/platform/database/database.ts";
import { startJobs } from "../server/platform/jobs/job-workers.ts";
import { defineJob, task } from "../server/platform/jobs/jobs.ts";

/**
 * A process to be killed by a test: takes a `hang` job of the database given as argument, prints that it has, and never
 * finishes.
 */
const log = pino({ level: "silent" });
const hang = defineJob({ name: "hang", payload: v.object({}), lane: "money", priority: 0, maxAttempts: 3 });
const url = process.argv[2] ?? "";
const { pool } = openDatabase(url, log);
await startJobs({
  url,
  pool,
  log,
  tasks: [
    task(hang, () => {
      process.stdout.write("taken\n");
      return new Promise(() => undefined);
    }),
  ],
});
