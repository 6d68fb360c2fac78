import { randomUUID } from "node:crypto";
import type { Db } from "../platform/database/database.ts";
import { enqueueMessages } from "./enqueue.ts";

/** Enqueues a test e-mail to the owner, a new one each time, sent like any other. Returns its id. */
export async function queueTestEmail(db: Db): Promise<string> {
  const id = randomUUID();
  await enqueueMessages(db, [{ id, kind: "test_email", dedupeKey: `test_email:${id}` }]);
  return id;
}
