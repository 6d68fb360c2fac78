import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { defineJob } from "../platform/jobs.ts";

/** Send one message of the outbox. 12 tries reach over about 16 hours; a text has fewer (see send-text.ts). */
export const sendMessageJob = defineJob({
  name: "send_message",
  payload: v.object({ messageId: uuidSchema }),
  lane: "mail",
  priority: 0,
  maxAttempts: 12,
});

/** Seconds from a text, or from one question to the next, to asking the carrier what became of it. */
export const textChecksAfterS = [10, 60, 300, 1_800, 7_200, 43_200] as const;

/** Ask what became of a text. */
export const checkTextJob = defineJob({
  name: "check_text",
  payload: v.object({ messageId: uuidSchema, round: v.number() }),
  lane: "mail",
  priority: 10,
  maxAttempts: 5,
});
