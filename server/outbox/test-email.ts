import { randomUUID } from "node:crypto";
import type { Db } from "../platform/database/database.ts";
import { enqueueMessages } from "./enqueue.ts";

/** Puts an e-mail to the owner into the outbox, a new one each time; it takes the way of every other. Answers its id. */
export async function queueTestEmail(db: Db): Promise<string> {
  const id = randomUUID();
  await enqueueMessages(db, [{ id, kind: "test_email", dedupeKey: `test_email:${id}` }]);
  return id;
}
