import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { defineJob } from "../platform/jobs.ts";

/** Send the cart that a shopper asked for, unless there is no more reason to. */
export const remindOfCartJob = defineJob({
  name: "remind_of_cart",
  payload: v.object({ reminderId: uuidSchema }),
  lane: "mail",
  priority: 5,
  maxAttempts: 6,
});
