import * as v from "valibot";
import { defineJob } from "../platform/jobs.ts";

/** Send one message of the outbox. 12 tries reach over about 16 hours. */
export const sendMessageJob = defineJob({
  name: "send_message",
  payload: v.object({ messageId: v.pipe(v.string(), v.uuid()) }),
  lane: "mail",
  priority: 0,
  maxAttempts: 12,
});
